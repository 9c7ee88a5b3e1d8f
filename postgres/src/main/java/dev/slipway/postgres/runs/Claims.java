package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.DatabaseException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Takes runs that may be taken. */
final class Claims {
  /** The same time, but the index of what is due is of no use for it: the queue may be long. */
  static final String NOT_BY_TIME = "(claimable_at - interval '0')";

  /**
   * Skips rows that other replicas are claiming. The time a run was paused for an approval is added
   * to its deadline. An array of ids, not a join: a plan for any number of ids would read the whole
   * table. The state before comes from the rows that were locked, because RETURNING has the values
   * before only since PostgreSQL 18; joined at the end, since a lookup for each row would cost the
   * square of the batch.
   */
  static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT id, state FROM runs
         WHERE claimable_at <= ?::timestamptz AND owner IS DISTINCT FROM ?
         ORDER BY claimable_at
         LIMIT ?
           FOR NO KEY UPDATE SKIP LOCKED),
      claimed AS (
        UPDATE runs r
           SET owner = ?, epoch = r.epoch + 1, claimable_at = ?::timestamptz, state = 'running',
               started_at = coalesce(r.started_at, ?::timestamptz),
               deadline_at = coalesce(r.deadline_at + (?::timestamptz - r.paused_at), r.deadline_at,
                                      ?::timestamptz + least(r.time_limit_ms, ?::int8)
                                                       * interval '1 millisecond'),
               paused_at = NULL
         WHERE r.id = ANY (ARRAY (SELECT id FROM due))
        RETURNING r.id, r.kind, r.definition_hash, r.operation, r.application_id, r.application,
                  r.resource_id, r.resource, r.resource_type, r.deployment_id, r.environment, r.team,
                  r.parent_run_id, r.inputs, r.created_by, r.created_at, r.epoch, r.version,
                  r.signals, r.started_at, r.deadline_at, r.variables, r.cancel, r.rollback,
                  r.root, r.node, r.subject_kind, r.subject_key, r.item, r.cause)
      SELECT c.*, due.state AS before FROM claimed c JOIN due ON due.id = c.id
      """;

  /** The same for runs that need no place because they only have to be stopped. */
  static final String CLAIM_CANCELLED =
      CLAIM.replace("WHERE claimable_at <=", "WHERE cancel IS NOT NULL AND claimable_at <=");

  /**
   * Those that were begun and whose owner is gone, found by their state: by their time they would
   * be behind everything that waits to begin.
   */
  static final String CLAIM_INTERRUPTED =
      CLAIM
          .replace("WHERE claimable_at <=", "WHERE state = 'running' AND " + NOT_BY_TIME + " <=")
          .replace("ORDER BY claimable_at", "ORDER BY id");

  static final String NEXT_DUE =
      """
      SELECT claimable_at FROM runs
       WHERE claimable_at IS NOT NULL AND owner IS DISTINCT FROM :owner
       ORDER BY claimable_at
       LIMIT 1
      """;

  /** As the transaction that made and claimed them has left them. */
  private static final String BORN =
      """
      SELECT r.*, 'pending' AS before FROM runs r
       WHERE r.id = ANY (?) AND r.owner = ? AND r.epoch = 1 AND r.version = 0
      """;

  private static final String STEPS =
      """
      SELECT run_id, name, state, attempt, wake_at, waiting_for, memory, limits, input_hash,
             outputs, error, carried, started_at, finished_at
        FROM steps
       WHERE run_id = ANY (?)
       ORDER BY run_id, name
      """;

  /** How far one looks. */
  enum Look {
    /** Takes whatever is due for longest. */
    QUICK,
    /** Also finds those that do not have to wait their turn: interrupted ones, cancelled ones. */
    THOROUGH
  }

  private Claims() {}

  static List<ClaimedRun> claim(
      Handle handle,
      RunStore.Owner owner,
      int max,
      Instant now,
      Duration lease,
      RunStore.Bounds bounds,
      Look look)
      throws SQLException {
    Connection connection = handle.getConnection();
    int places = max;
    if (bounds.atOnce().isPresent()) {
      places = Math.clamp(ConcurrencyLimit.free(connection, bounds.atOnce().get(), now), 0, max);
    }
    List<ClaimedRun> claimed = new ArrayList<>();
    if (look == Look.THOROUGH && places > 0) {
      claimed.addAll(take(connection, CLAIM_INTERRUPTED, owner, places, now, lease, bounds));
    }
    if (claimed.size() < places) {
      int left = places - claimed.size();
      claimed.addAll(take(connection, CLAIM, owner, left, now, lease, bounds));
    }
    if (look == Look.THOROUGH && claimed.size() == places && places < max) {
      claimed.addAll(take(connection, CLAIM_CANCELLED, owner, max - places, now, lease, bounds));
    }
    return withSteps(connection, claimed);
  }

  private static List<ClaimedRun> take(
      Connection connection,
      String sql,
      RunStore.Owner owner,
      int max,
      Instant now,
      Duration lease,
      RunStore.Bounds bounds)
      throws SQLException {
    List<ClaimedRun> claimed = new ArrayList<>();
    try (PreparedStatement claim = connection.prepareStatement(sql)) {
      OffsetDateTime at = now.atOffset(ZoneOffset.UTC);
      claim.setObject(1, at);
      claim.setString(2, owner.text());
      claim.setInt(3, max);
      claim.setString(4, owner.text());
      claim.setObject(5, at.plus(lease));
      claim.setObject(6, at);
      claim.setObject(7, at);
      claim.setObject(8, at);
      claim.setObject(9, bounds.longest().map(Duration::toMillis).orElse(null), Types.BIGINT);
      try (ResultSet rows = claim.executeQuery()) {
        while (rows.next()) {
          claimed.add(run(rows, owner));
        }
      }
    }
    return claimed;
  }

  /** Those of these runs that were born claimed by that owner. */
  static List<ClaimedRun> born(Handle handle, RunStore.Owner owner, Collection<UUID> ids) {
    Connection connection = handle.getConnection();
    List<ClaimedRun> claimed = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(BORN)) {
      select.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      select.setString(2, owner.text());
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          claimed.add(run(rows, owner));
        }
      }
      return withSteps(connection, claimed);
    } catch (SQLException e) {
      throw new DatabaseException("new runs cannot be read: " + e.getMessage(), e);
    }
  }

  static Optional<Instant> nextDue(Handle handle, RunStore.Owner owner) {
    return handle.createQuery(NEXT_DUE).bind("owner", owner.text()).mapTo(Instant.class).findOne();
  }

  private static List<ClaimedRun> withSteps(Connection connection, List<ClaimedRun> claimed)
      throws SQLException {
    // A run without a write that retries no other run has no steps yet.
    Object[] begun =
        claimed.stream()
            .filter(r -> r.version() > 0 || r.parent() != null)
            .map(ClaimedRun::id)
            .toArray();
    if (begun.length == 0) {
      return claimed;
    }
    Map<UUID, List<StepRecord>> steps = new HashMap<>();
    Array ids = connection.createArrayOf("uuid", begun);
    try (PreparedStatement select = connection.prepareStatement(STEPS)) {
      select.setArray(1, ids);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          steps
              .computeIfAbsent(rows.getObject("run_id", UUID.class), id -> new ArrayList<>())
              .add(step(rows));
        }
      }
    }
    return claimed.stream()
        .map(r -> steps.containsKey(r.id()) ? r.withSteps(steps.get(r.id())) : r)
        .toList();
  }

  private static ClaimedRun run(ResultSet rs, RunStore.Owner owner) throws SQLException {
    EncryptionContext row = EncryptionContext.run(rs.getObject("id", UUID.class));
    return new ClaimedRun(
        rs.getObject("id", UUID.class),
        State.parse(NewRun.Kind.class, rs.getString("kind")),
        rs.getString("definition_hash"),
        rs.getString("operation"),
        SubjectColumns.withKey(rs),
        rs.getString("environment"),
        rs.getString("team"),
        rs.getObject("parent_run_id", UUID.class),
        Trees.inputs(rs.getString("inputs"), row),
        rs.getString("created_by"),
        Columns.time(rs, "created_at"),
        new RunStore.Fence(owner.text(), rs.getLong("epoch")),
        rs.getLong("version"),
        rs.getInt("signals"),
        State.parse(RunState.class, rs.getString("before")),
        Columns.time(rs, "started_at"),
        Columns.timeOrNull(rs, "deadline_at"),
        Trees.map(rs.getString("variables"), row),
        List.of(),
        Optional.ofNullable(rs.getString("cancel")).map(c -> State.parse(RunStore.Cancel.class, c)),
        Optional.ofNullable(rs.getString("rollback"))
            .map(r -> State.parse(RunWrite.Rollback.class, r)));
  }

  static StepRecord step(ResultSet rs) throws SQLException {
    String outputs = rs.getString("outputs");
    return new StepRecord(
        rs.getString("name"),
        State.parse(StepState.class, rs.getString("state")),
        rs.getInt("attempt"),
        Columns.timeOrNull(rs, "wake_at"),
        parking(rs),
        rs.getString("input_hash"),
        outputs == null ? null : Trees.map(outputs, row(rs)),
        Trees.error(rs.getString("error")),
        rs.getBoolean("carried") ? StepRecord.Origin.CARRIED : StepRecord.Origin.OWN,
        Columns.timeOrNull(rs, "started_at"),
        Columns.timeOrNull(rs, "finished_at"));
  }

  private static EncryptionContext row(ResultSet rs) throws SQLException {
    return EncryptionContext.step(rs.getObject("run_id", UUID.class), rs.getString("name"));
  }

  private static StepRecord.@Nullable Parking parking(ResultSet rs) throws SQLException {
    String waitingFor = rs.getString("waiting_for");
    return waitingFor == null
        ? null
        : new StepRecord.Parking(
            waitingFor,
            Trees.map(rs.getString("memory"), row(rs)),
            State.parse(StepExecutor.Limits.class, rs.getString("limits")));
  }
}
