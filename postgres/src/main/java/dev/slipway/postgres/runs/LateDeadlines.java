package dev.slipway.postgres.runs;

import dev.slipway.postgres.DatabaseClock;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * Ends of approvals and time limits of runs that a clock set which had leapt ahead and has come
 * back. Only rows written since the leap began are looked at, and what was corrected lies before
 * the leap's first moment: a second replica does not correct it again.
 */
final class LateDeadlines {
  private static final String IN_LEAP = "%1$s >= :first AND %1$s < :last";
  private static final String WRITTEN = "age(xmin) <= age(:transaction::text::xid)";

  private LateDeadlines() {}

  /** Approvals before runs, the order in which a vote and a step that asks lock them. */
  static void mend(Handle handle, DatabaseClock.Return leap, Instant now) {
    bind(handle.createUpdate(APPROVALS), leap).execute();
    bind(handle.createUpdate(RUNS), leap).bind("now", now).execute();
  }

  private static Update bind(Update update, DatabaseClock.Return leap) {
    return update
        .bind("first", leap.first())
        .bind("last", leap.first().plus(leap.by()))
        .bind("by", leap.by().toMillis() + " milliseconds")
        .bind("transaction", leap.transaction() & 0xFFFF_FFFFL);
  }

  /** A step that waits for one of them looks again when its time is up. */
  private static final String APPROVALS =
      """
      WITH late AS MATERIALIZED (
        SELECT id FROM approvals
         WHERE state = 'pending' AND %s AND %s
         ORDER BY id FOR NO KEY UPDATE),
      mended AS (
        UPDATE approvals a
           SET created_at = created_at - :by::interval, expires_at = expires_at - :by::interval
          FROM late WHERE a.id = late.id
        RETURNING a.run_id, a.step, a.expires_at),
      timers AS (
        UPDATE steps s SET wake_at = least(s.wake_at, m.expires_at)
          FROM mended m
         WHERE s.run_id = m.run_id AND s.name = m.step AND s.state = 'waiting')
      UPDATE runs r SET claimable_at = least(r.claimable_at, m.expires_at)
        FROM mended m
       WHERE r.id = m.run_id AND r.owner IS NULL AND r.claimable_at IS NOT NULL
      """
          .formatted(IN_LEAP.formatted("created_at"), WRITTEN);

  /**
   * A run that began in the leap gets its times back. One that only went on in it, and got the leap
   * added to its deadline as a pause, may take its whole limit from now. A row that its worker is
   * writing is left out: that worker follows the clock itself.
   */
  private static final String RUNS =
      """
      WITH late AS MATERIALIZED (
        SELECT id FROM runs
         WHERE state IN ('running', 'waiting') AND %3$s
           AND ((%1$s) OR (%2$s)
                OR deadline_at > :now::timestamptz + time_limit_ms * interval '1 millisecond')
         ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE runs r
         SET deadline_at = CASE WHEN %1$s THEN deadline_at - :by::interval
                                ELSE least(deadline_at,
                                           :now::timestamptz + time_limit_ms * interval '1 millisecond') END,
             started_at = CASE WHEN %1$s THEN started_at - :by::interval ELSE started_at END,
             paused_at = CASE WHEN %2$s THEN paused_at - :by::interval ELSE paused_at END
        FROM late WHERE r.id = late.id
      """
          .formatted(IN_LEAP.formatted("started_at"), IN_LEAP.formatted("paused_at"), WRITTEN);
}
