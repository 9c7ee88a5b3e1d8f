package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunStore.CancelAnswer;
import dev.slipway.engine.execute.RunStore.Held;
import dev.slipway.engine.execute.RunStore.Lease;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Renews, gives back and disowns claims. Statements of the heartbeat skip rows that another
 * transaction has locked, so that a frozen transaction with one such row costs no other run its
 * lease.
 */
final class RunLeases {
  private static final String OURS =
      """
        FROM runs r
        JOIN unnest(:ids, :epochs) AS h (id, epoch) ON r.id = h.id AND r.epoch = h.epoch
       WHERE r.owner = :owner
      """;

  private static final String FREE =
      "WITH free AS MATERIALIZED (SELECT r.id " + OURS + " FOR NO KEY UPDATE OF r SKIP LOCKED)\n";

  private RunLeases() {}

  /**
   * Those that could be prolonged. A heartbeat that was given up may still arrive, after a later
   * one.
   */
  static Map<UUID, Held> prolong(
      Handle handle, Owner owner, Map<UUID, Long> epochs, Instant until) {
    String sql =
        """
        UPDATE runs r SET claimable_at = greatest(r.claimable_at, :until)
          FROM free
         WHERE r.id = free.id
        RETURNING r.id, r.cancel, r.signals
        """;
    Query query = about(handle.createQuery(FREE + sql), owner, epochs).bind("until", until);
    return answer(query, Lease.PROLONGED);
  }

  /** Those of them that are the owner's, as they are. */
  static Map<UUID, Held> held(Handle handle, Owner owner, Map<UUID, Long> epochs) {
    Query query =
        about(handle.createQuery("SELECT r.id, r.cancel, r.signals " + OURS), owner, epochs);
    return answer(query, Lease.AS_BEFORE);
  }

  private static Map<UUID, Held> answer(Query query, Lease lease) {
    Map<UUID, Held> held = new HashMap<>();
    query
        .map(
            (rs, _) ->
                held.put(
                    rs.getObject("id", UUID.class),
                    new Held(
                        Optional.ofNullable(rs.getString("cancel"))
                            .map(c -> State.parse(Cancel.class, c)),
                        rs.getInt("signals"),
                        lease)))
        .list();
    return held;
  }

  private static <T extends SqlStatement<T>> T about(T sql, Owner owner, Map<UUID, Long> epochs) {
    return sql.bind("ids", epochs.keySet().toArray(UUID[]::new))
        .bind("epochs", epochs.values().toArray(Long[]::new))
        .bind("owner", owner.text());
  }

  static int abandon(Handle handle, Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    String sql =
        """
        UPDATE runs r SET claimable_at = :at, owner = NULL
          FROM free
         WHERE r.id = free.id
        """;
    return about(handle.createUpdate(FREE + sql), owner, epochs).bind("at", claimableAt).execute();
  }

  static int disown(Handle handle, Owner owner, Set<UUID> held, Instant now) {
    return handle
        .createUpdate(
            """
            WITH unknown AS MATERIALIZED (
              SELECT id FROM runs
               WHERE state = 'running' AND %s <= :now
                 AND owner = :owner AND NOT (id = ANY (:held))
                 FOR NO KEY UPDATE SKIP LOCKED)
            UPDATE runs r SET claimable_at = :now, owner = NULL
              FROM unknown
             WHERE r.id = unknown.id
            """
                .formatted(Claims.NOT_BY_TIME))
        .bind("now", now)
        .bind("owner", owner.text())
        .bind("held", held.toArray(UUID[]::new))
        .execute();
  }

  static int release(Handle handle, Owner successor, Instant now) {
    return handle
        .createUpdate(
            """
            UPDATE runs SET claimable_at = :now, owner = NULL
             WHERE claimable_at IS NOT NULL
               AND split_part(owner, '/', 1) = :replica AND owner <> :owner
            """)
        .bind("now", now)
        .bind("replica", successor.replica())
        .bind("owner", successor.text())
        .execute();
  }

  /** Whether the run is asked to stop; what it is otherwise if it cannot be. */
  static CancelAnswer cancel(Handle handle, UUID run, Cancel how, Instant now) throws SQLException {
    if (wake(handle, new RunWakes.Call(run, now, Optional.of(how)))) {
      return CancelAnswer.ASKED;
    }
    return handle
            .createQuery("SELECT 1 FROM runs WHERE id = :run")
            .bind("run", run)
            .mapTo(Integer.class)
            .findOne()
            .isPresent()
        ? CancelAnswer.FINISHED_ALREADY
        : CancelAnswer.UNKNOWN_RUN;
  }

  /** False if the run has ended or does not exist. */
  static boolean wake(Handle handle, RunWakes.Call call) throws SQLException {
    if (RunWakes.wake(handle.getConnection(), List.of(call)).isEmpty()) {
      return false;
    }
    Notifications.announce(handle, Topic.RUNS, call.run().toString());
    return true;
  }
}
