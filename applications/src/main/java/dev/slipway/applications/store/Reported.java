package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A resource beside a run that has something to say about it.
 *
 * @param begun the run's first step has begun, and the resource does not know of it
 * @param effect of the run's end; empty while it works
 * @param revision that the run works towards: the hash of its params
 */
record Reported(
    UUID resource,
    ResourceState state,
    int incarnation,
    String identity,
    String type,
    String name,
    String environment,
    String team,
    String application,
    boolean drifted,
    UUID run,
    long epoch,
    boolean begun,
    Optional<Effect> effect,
    String end,
    @Nullable Map<String, @Nullable Object> error,
    Map<String, @Nullable Object> outputs,
    String revision) {

  /**
   * The first write of a run is that of its first step, unless it is also its last. A run that a
   * replica of schema 9 ended has no report: that replica moved the resource itself, unless the
   * first step was still to be applied. A resource that failed for want of a provider is requested
   * again, with the run of before in charge until the next one is made.
   */
  static final String UNAPPLIED =
      """
      (run.version > 0 AND run.finished_at IS NULL
         AND (NOT r.ever_started OR r.state = 'requested')
       OR run.finished_at IS NOT NULL AND r.reported_run IS DISTINCT FROM r.run_id
         AND (run.report IS NOT NULL
              OR r.state = 'requested' AND run.version > 1
                 AND (NOT r.ever_started OR r.state_since <= run.created_at)))
      """;

  /** Codes of reasons that looks have found. */
  private static final Set<String> FOUND =
      Set.of(StepError.DRIFT, StepError.MISSING, StepError.NOT_OURS);

  /** Whether a run has failed at it, which no look makes good. */
  static boolean failed(ResourceState state, String reason) {
    return state == ResourceState.DEGRADED && !FOUND.contains(reason);
  }

  static final String COLUMNS =
      """
      SELECT r.id, r.state, r.incarnation, r.identity, r.type, r.name, r.environment, r.team,
             r.ever_started, coalesce(r.attempted_hash, '') AS revision, r.reason ->> 'code' AS reason, a.name AS application,
             run.id AS run_id, run.epoch, run.version, run.state AS run_state, run.rollback,
             run.report, run.error, run.outputs, run.inputs -> 'outputs' AS compared
        FROM resources r
        JOIN applications a ON a.id = r.owner_id
      """;

  private static final String IN_CHARGE =
      COLUMNS
          + " JOIN runs run ON run.id = r.run_id WHERE r.id = ANY (?) AND "
          + UNAPPLIED
          + " ORDER BY r.id";

  /** Those of the resources whose run in charge has something new to say. */
  static List<Reported> inCharge(Connection connection, Collection<UUID> resources)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(IN_CHARGE)) {
      select.setArray(1, connection.createArrayOf("uuid", resources.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        List<Reported> found = new ArrayList<>();
        while (rows.next()) {
          found.add(map(rows));
        }
        return found;
      }
    }
  }

  static Reported map(ResultSet rs) throws SQLException {
    UUID run = rs.getObject("run_id", UUID.class);
    RunState runState = State.parse(RunState.class, rs.getString("run_state"));
    ResourceState state = State.parse(ResourceState.class, rs.getString("state"));
    long writes = rs.getLong("version") - (runState.finished() ? 1 : 0);
    Optional<Map<String, @Nullable Object>> report =
        Optional.ofNullable(rs.getString("report")).map(Json::readMap);
    return new Reported(
        rs.getObject("id", UUID.class),
        state,
        rs.getInt("incarnation"),
        rs.getString("identity"),
        rs.getString("type"),
        rs.getString("name"),
        rs.getString("environment"),
        rs.getString("team"),
        rs.getString("application"),
        FOUND.contains(String.valueOf(rs.getString("reason"))),
        run,
        rs.getLong("epoch"),
        writes > 0 && (state == ResourceState.REQUESTED || !rs.getBoolean("ever_started")),
        runState.finished() ? Optional.of(effect(report, runState, rs)) : Optional.empty(),
        report
            .map(r -> String.valueOf(r.get("reason")))
            .orElse("run " + run + " " + runState.text()),
        report.isPresent() ? error(report.get()) : Columns.treeOrNull(rs, "error"),
        Columns.tree(rs, "outputs", EncryptionContext.run(run)),
        rs.getString("revision"));
  }

  private static Effect effect(
      Optional<Map<String, @Nullable Object>> report, RunState state, ResultSet rs)
      throws SQLException {
    if (report.isPresent()) {
      return State.parse(Effect.class, String.valueOf(report.get().get("effect")));
    }
    if (state == RunState.SUCCEEDED || state == RunState.PARTIAL) {
      return Effect.SUCCEEDED;
    }
    return Rollback.COMPLETE.text().equals(rs.getString("rollback"))
        ? Effect.ROLLED_BACK
        : Effect.FAILED;
  }

  private static @Nullable Map<String, @Nullable Object> error(
      Map<String, @Nullable Object> report) {
    return report.get("error") == null ? null : Values.map(report.get("error"));
  }

  /** The same after its first step has been applied. */
  Reported in(ResourceState now) {
    return new Reported(
        resource,
        now,
        incarnation,
        identity,
        type,
        name,
        environment,
        team,
        application,
        drifted,
        run,
        epoch,
        false,
        effect,
        end,
        error,
        outputs,
        revision);
  }

  /** The same with another error. */
  Reported saying(Map<String, @Nullable Object> other) {
    return new Reported(
        resource,
        state,
        incarnation,
        identity,
        type,
        name,
        environment,
        team,
        application,
        drifted,
        run,
        epoch,
        begun,
        effect,
        end,
        other,
        outputs,
        revision);
  }

  /** Why the resource moves, for its history. */
  String reason(Effect why) {
    return why == Effect.STARTED ? "run " + run + " started" : end;
  }
}
