package dev.slipway.postgres.overview;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.runs.SubjectColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Rows of runs, steps and attempts as they are shown. */
final class RunRows {
  private RunRows() {}

  static List<RunView.Step> steps(Handle handle, UUID run) {
    Map<String, List<RunView.Attempt>> attempts = new HashMap<>();
    handle
        .createQuery("SELECT * FROM attempts WHERE run_id = :run ORDER BY step, attempt")
        .bind("run", run)
        .map(
            (rs, _) -> {
              attempts
                  .computeIfAbsent(rs.getString("step"), step -> new ArrayList<>())
                  .add(
                      new RunView.Attempt(
                          rs.getInt("attempt"),
                          Json.readMap(rs.getString("error")),
                          Columns.timeOrNull(rs, "started_at"),
                          Columns.timeOrNull(rs, "finished_at")));
              return 0;
            })
        .list();
    return handle
        .createQuery("SELECT * FROM steps WHERE run_id = :run ORDER BY started_at NULLS LAST, name")
        .bind("run", run)
        .map((rs, _) -> step(rs, attempts.getOrDefault(rs.getString("name"), List.of())))
        .list();
  }

  private static RunView.Step step(ResultSet rs, List<RunView.Attempt> attempts)
      throws SQLException {
    return new RunView.Step(
        rs.getString("name"),
        State.parse(StepState.class, rs.getString("state")),
        rs.getInt("attempt"),
        rs.getString("waiting_for"),
        Columns.timeOrNull(rs, "wake_at"),
        tree(rs, "error"),
        tree(rs, "outputs"),
        rs.getBoolean("carried"),
        Columns.timeOrNull(rs, "started_at"),
        Columns.timeOrNull(rs, "finished_at"),
        attempts);
  }

  static RunView.Made made(Handle handle, ResultSet rs) throws SQLException {
    UUID id = rs.getObject("id", UUID.class);
    NewRun.Kind kind = State.parse(NewRun.Kind.class, rs.getString("kind"));
    return new RunView.Made(
        id,
        kind,
        rs.getString("provider"),
        rs.getString("workflow"),
        rs.getString("parent_step"),
        rs.getObject("parent_attempt", Integer.class),
        State.parse(RunState.class, rs.getString("state")),
        tree(rs, "error"),
        Columns.timeOrNull(rs, "started_at"),
        Columns.timeOrNull(rs, "finished_at"),
        kind == NewRun.Kind.ROLLBACK ? steps(handle, id) : List.of());
  }

  static List<RunView.Made> made(Handle handle, UUID run) {
    return handle
        .createQuery(
            """
            SELECT * FROM runs
             WHERE parent_run_id = :run AND kind IN ('child', 'rollback')
             ORDER BY created_at, id
             LIMIT 1000
            """)
        .bind("run", run)
        .map((rs, _) -> made(handle, rs))
        .list();
  }

  private static List<String> undoing(NewRun.Kind kind, ResultSet rs) throws SQLException {
    if (kind != NewRun.Kind.ROLLBACK) {
      return List.of();
    }
    Map<String, Object> inputs = Json.readMap(rs.getString("inputs"));
    return Values.map(inputs.get("undoing")).get("order") instanceof List<?> order
        ? order.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** An incomplete rollback may have been retried: the newest one counts. */
  static RunWrite.@Nullable Rollback rollback(ResultSet rs) throws SQLException {
    RunState newest = state(RunState.class, rs, "newest_rollback");
    if (newest == null) {
      return state(RunWrite.Rollback.class, rs, "rollback");
    }
    return switch (newest) {
      case SUCCEEDED -> RunWrite.Rollback.COMPLETE;
      case PENDING, RUNNING, WAITING -> RunWrite.Rollback.RUNNING;
      case FAILED, PARTIAL, CANCELLED -> RunWrite.Rollback.INCOMPLETE;
    };
  }

  static RunView run(ResultSet rs, List<RunView.Step> steps, List<RunView.Made> made)
      throws SQLException {
    Map<String, Object> outputs = tree(rs, "outputs");
    NewRun.Kind kind = State.parse(NewRun.Kind.class, rs.getString("kind"));
    return new RunView(
        rs.getObject("id", UUID.class),
        kind,
        rs.getString("cause"),
        rs.getString("definition_hash"),
        SubjectColumns.read(rs),
        rs.getString("environment"),
        rs.getString("team"),
        rs.getString("workflow"),
        rs.getString("provider"),
        rs.getString("operation"),
        State.parse(RunState.class, rs.getString("state")),
        rs.getObject("parent_run_id", UUID.class),
        rs.getString("parent_step"),
        rs.getObject("parent_attempt", Integer.class),
        state(RunStore.Cancel.class, rs, "cancel"),
        rs.getString("created_by"),
        Columns.time(rs, "created_at"),
        Columns.timeOrNull(rs, "started_at"),
        Columns.timeOrNull(rs, "finished_at"),
        tree(rs, "error"),
        rollback(rs),
        outputs == null ? Map.of() : outputs,
        steps,
        undoing(kind, rs),
        made);
  }

  static <S extends Enum<S> & State> @Nullable S state(Class<S> type, ResultSet rs, String column)
      throws SQLException {
    String text = rs.getString(column);
    return text == null ? null : State.parse(type, text);
  }

  static @Nullable Map<String, Object> tree(ResultSet rs, String column, EncryptionContext row)
      throws SQLException {
    String json = rs.getString(column);
    return json == null ? null : Json.readMap(json, row);
  }

  static @Nullable Map<String, Object> tree(ResultSet rs, String column) throws SQLException {
    String json = rs.getString(column);
    return json == null ? null : Json.readMap(json);
  }
}
