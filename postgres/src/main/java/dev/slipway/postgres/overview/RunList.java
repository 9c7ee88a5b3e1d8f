package dev.slipway.postgres.overview;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.LongLists;
import dev.slipway.postgres.Total;
import dev.slipway.postgres.runs.SubjectColumns;
import dev.slipway.postgres.runs.UndoneSteps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** Runs, newest first. */
public final class RunList {
  static final String NEWEST_ROLLBACK =
      """
      CASE WHEN runs.rollback = 'incomplete'
           THEN (SELECT b.state FROM runs b
                  WHERE b.parent_run_id = runs.id AND b.kind = 'rollback'
                  ORDER BY b.created_at DESC, b.id DESC LIMIT 1) END AS newest_rollback
      """;

  private final Jdbi jdbi;
  private final LongLists lists = new LongLists();

  /** Those runs, for that reader. */
  private record Asked(Teams visible, RunFilter filter) {}

  public RunList(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A position in the list: after a run, or a number of rows to skip. */
  public record Place(@Nullable UUID after, long skip) {}

  /** Some runs without their steps, and how many there are in all, up to {@link Total#MOST}. */
  public record Part(List<RunView> runs, boolean more, long total) {}

  /** Runs that the reader may see. */
  public Part list(Teams visible, RunFilter filter, Place place, int limit) {
    return jdbi.withHandle(
        h -> {
          List<RunView> runs = piece(h, visible, filter, place, limit + 1);
          boolean more = runs.size() > limit;
          boolean whole = place.after() == null && place.skip() == 0 && !more;
          return new Part(
              more ? List.copyOf(runs.subList(0, limit)) : runs,
              more,
              whole
                  ? runs.size()
                  : lists.total(new Asked(visible, filter), () -> total(h, visible, filter)));
        });
  }

  private static List<RunView> piece(
      Handle handle, Teams visible, RunFilter filter, Place place, int limit) {
    String sql =
        "SELECT runs.*, "
            + NEWEST_ROLLBACK
            + filter.newest(visible, place.after())
            + " ORDER BY id DESC OFFSET :skip LIMIT :limit";
    return bound(handle.createQuery(sql), visible, filter, place.skip() + limit)
        .bindByType("after", place.after(), UUID.class)
        .bind("skip", place.skip())
        .bind("limit", limit)
        .map((rs, _) -> RunRows.run(rs, List.of(), List.of()))
        .list();
  }

  private static long total(Handle handle, Teams visible, RunFilter filter) {
    String sql = Total.of(filter.newest(visible, null));
    return bound(handle.createQuery(sql), visible, filter, Total.MOST + 1L).mapTo(Long.class).one();
  }

  /** One run with its steps; empty when the reader may not see such a run. */
  public Optional<RunView> find(Teams visible, UUID id) {
    return jdbi.withHandle(
        h -> {
          List<RunView.Step> steps = RunRows.steps(h, id);
          List<RunView.Made> made = RunRows.made(h, id);
          return h.createQuery("SELECT *, " + NEWEST_ROLLBACK + " FROM runs WHERE id = :id")
              .bind("id", id)
              .map((rs, _) -> RunRows.run(rs, steps, made))
              .findOne()
              .filter(run -> visible.includes(run.team()));
        });
  }

  /** What a retry of this run takes over. */
  public Optional<FinishedRun> finished(UUID id) {
    return jdbi.withHandle(
        h -> {
          List<StepRecord> succeeded =
              h.createQuery(
                      "SELECT * FROM steps WHERE run_id = :run AND state = 'succeeded'"
                          + " AND name NOT IN ("
                          + UndoneSteps.of(":run")
                          + ") ORDER BY name")
                  .bind("run", id)
                  .map((rs, _) -> carried(rs))
                  .list();
          return h.createQuery("SELECT * FROM runs WHERE id = :id AND finished_at IS NOT NULL")
              .bind("id", id)
              .map((rs, _) -> finished(rs, succeeded))
              .findOne();
        });
  }

  private static StepRecord carried(ResultSet rs) throws SQLException {
    return new StepRecord(
        rs.getString("name"),
        StepState.SUCCEEDED,
        rs.getInt("attempt"),
        null,
        null,
        rs.getString("input_hash"),
        RunRows.tree(rs, "outputs", step(rs)),
        null,
        StepRecord.Origin.CARRIED,
        Columns.timeOrNull(rs, "started_at"),
        Columns.timeOrNull(rs, "finished_at"));
  }

  private static FinishedRun finished(ResultSet rs, List<StepRecord> succeeded)
      throws SQLException {
    EncryptionContext row = EncryptionContext.run(rs.getObject("id", UUID.class));
    Map<String, Object> inputs = Json.readMap(rs.getString("inputs"), row);
    long limit = rs.getLong("time_limit_ms");
    Duration timeLimit = rs.wasNull() ? null : Duration.ofMillis(limit);
    return new FinishedRun(
        State.parse(NewRun.Kind.class, rs.getString("kind")),
        SubjectColumns.read(rs),
        new NewRun.Inputs(
            Values.map(inputs.get("parameters")),
            Values.map(inputs.get("context")),
            Values.map(inputs.get("outputs"))),
        succeeded,
        timeLimit);
  }

  private static Query bound(Query query, Teams visible, RunFilter filter, long most) {
    String[] teams =
        switch (visible) {
          case Teams.Every every -> null;
          case Teams.Named named -> named.names().toArray(String[]::new);
        };
    return query
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bindByType("teams", teams, String[].class)
        .bind("root", filter.root())
        .bind("environment", filter.environment())
        .bind("search", filter.search())
        .bindByType("node", filter.node(), UUID.class)
        .bindByType("parent", filter.parent(), UUID.class)
        .bind("most", filter.search() == null ? most : RunFilter.SEARCHED);
  }

  private static EncryptionContext step(ResultSet rs) throws SQLException {
    return EncryptionContext.step(rs.getObject("run_id", UUID.class), rs.getString("name"));
  }
}
