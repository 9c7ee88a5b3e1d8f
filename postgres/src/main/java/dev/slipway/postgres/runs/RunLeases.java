package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunStore.CancelAnswer;
import dev.slipway.engine.execute.RunStore.Held;
import dev.slipway.engine.execute.RunStore.Lease;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
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

  /**
   * A timer of a run that waits was set during the leap when its row was written since it began and
   * it lies in the leap's length after its first moment. A timer longer than the leap stays as it
   * is, so that no second replica corrects it again: it takes at most twice as long.
   */
  static void clockReturned(Handle handle, DatabaseClock.Return leap, Instant now, Duration lease) {
    handle
        .createUpdate(
            """
            WITH late AS MATERIALIZED (
              SELECT id FROM runs
               WHERE owner IS NULL AND claimable_at >= :first AND claimable_at < :last
                 AND age(xmin) <= age(:transaction::text::xid)
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
            timers AS (
              UPDATE steps s
                 SET wake_at = CASE WHEN wake_at >= :first THEN wake_at - :by::interval
                                    ELSE wake_at END,
                     started_at = CASE WHEN started_at >= :first THEN started_at - :by::interval
                                       ELSE started_at END
                FROM late
               WHERE s.run_id = late.id AND s.state IN ('waiting', 'pending'))
            UPDATE runs r SET claimable_at = claimable_at - :by::interval
              FROM late
             WHERE r.id = late.id
            """)
        .bind("first", leap.first())
        .bind("last", leap.first().plus(leap.by()))
        .bind("by", leap.by().toMillis() + " milliseconds")
        .bind("transaction", leap.transaction() & 0xFFFF_FFFFL)
        .execute();
    handle
        .createUpdate(
            """
            UPDATE runs SET claimable_at = :end
             WHERE owner IS NOT NULL AND claimable_at > :far
            """)
        .bind("end", now.plus(lease.multipliedBy(2)))
        .bind("far", now.plus(lease.multipliedBy(3)))
        .execute();
    handle.execute("UPDATE timers SET due_at = ? WHERE due_at > ?", now, now);
    handle.execute(
        "UPDATE leases SET expires_at = ? WHERE expires_at > ?",
        now.plus(lease.multipliedBy(2)),
        now.plus(lease.multipliedBy(3)));
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

  /**
   * Raises the count of signals, so that none is lost between an owner's last look and its park.
   */
  static void signal(Handle handle, UUID run, Instant now) {
    handle
        .createUpdate(
            """
            UPDATE runs
               SET signals = signals + 1,
                   claimable_at = CASE WHEN owner IS NULL THEN :now ELSE claimable_at END
             WHERE id = :run AND state IN ('pending', 'running', 'waiting')
            """)
        .bind("now", now)
        .bind("run", run)
        .execute();
    Notifications.announce(handle, Topic.RUNS, run.toString());
  }

  static CancelAnswer cancel(Handle handle, UUID run, Cancel how, Instant now) throws SQLException {
    int asked =
        handle
            .createUpdate(
                """
                UPDATE runs
                   SET cancel = CASE WHEN cancel = 'forced' THEN cancel ELSE :how END,
                       signals = signals + 1,
                       claimable_at = CASE WHEN owner IS NULL THEN least(claimable_at, :now)
                                           ELSE claimable_at END
                 WHERE id = :run AND state IN ('pending', 'running', 'waiting')
                """)
            .bind("how", how.text())
            .bind("now", now)
            .bind("run", run)
            .execute();
    if (asked == 1) {
      Notifications.announce(handle, Topic.RUNS, run.toString());
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
}
