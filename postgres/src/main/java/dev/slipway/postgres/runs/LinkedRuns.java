package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.LinkedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.EncryptionContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The runs that a run has made. */
final class LinkedRuns {
  private LinkedRuns() {}

  static List<LinkedRun> madeBy(Handle handle, UUID run) {
    // The steps come second: those of a run that has ended by then are final.
    List<LinkedRun> made =
        handle
            .createQuery(
                """
                SELECT id, kind, provider, workflow, state, outputs, error
                  FROM runs
                 WHERE parent_run_id = :run AND kind IN ('child', 'rollback')
                 ORDER BY id
                """)
            .bind("run", run)
            .map((rs, _) -> linked(rs, new HashMap<>()))
            .list();
    for (LinkedRun rollback : made) {
      if (rollback.kind() == NewRun.Kind.ROLLBACK) {
        handle
            .createQuery("SELECT name, state FROM steps WHERE run_id = :run")
            .bind("run", rollback.id())
            .map(
                (rs, _) ->
                    rollback
                        .steps()
                        .put(rs.getString(1), State.parse(StepState.class, rs.getString(2))))
            .list();
      }
    }
    return made;
  }

  private static LinkedRun linked(ResultSet rs, Map<String, StepState> steps) throws SQLException {
    return new LinkedRun(
        rs.getObject("id", UUID.class),
        State.parse(NewRun.Kind.class, rs.getString("kind")),
        rs.getString("provider"),
        rs.getString("workflow"),
        State.parse(RunState.class, rs.getString("state")),
        Trees.map(rs.getString("outputs"), EncryptionContext.run(rs.getObject("id", UUID.class))),
        Trees.error(rs.getString("error")),
        steps);
  }
}
