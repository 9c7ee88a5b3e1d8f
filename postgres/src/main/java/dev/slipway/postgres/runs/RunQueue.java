package dev.slipway.postgres.runs;

import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** How many runs wait to begin, as of a moment ago: many ask, one counts. */
public final class RunQueue {
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Jdbi jdbi;
  private Count last = new Count(0, System.nanoTime() - FRESH.toNanos());

  private record Count(long runs, long at) {}

  public RunQueue(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Counts up to {@code most}: callers only compare with that number. */
  public synchronized long length(long most) {
    if (System.nanoTime() - last.at() >= FRESH.toNanos()) {
      last = new Count(count(most), System.nanoTime());
    }
    return last.runs();
  }

  private long count(long most) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(
                    """
                    SELECT count(*) FROM (
                      SELECT 1 FROM runs
                       WHERE claimable_at IS NOT NULL AND state = 'pending' LIMIT :most) waiting
                    """)
                .bind("most", most)
                .mapTo(Long.class)
                .one());
  }
}
