package dev.slipway.postgres.runs;

import dev.slipway.postgres.DatabaseClock;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Follows the database's clock after a leap ahead that was taken back. */
final class ReturnedClock {
  private ReturnedClock() {}

  /**
   * A timer of a run that waits was set during the leap when its row was written since it began and
   * it lies in the leap's length after its first moment. A timer longer than the leap stays as it
   * is, so that no second replica corrects it again: it takes at most twice as long.
   */
  static void follow(Handle handle, DatabaseClock.Return leap, Instant now, Duration lease) {
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
}
