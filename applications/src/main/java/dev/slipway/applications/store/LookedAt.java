package dev.slipway.applications.store;

import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** How many resources are looked at: each has a timer. Counted now and then. */
final class LookedAt {
  private static final Duration COUNTED_AGAIN = Duration.ofMinutes(1);

  private final String kind;
  private Instant counted = Instant.EPOCH;
  private long count;

  LookedAt(String kind) {
    this.kind = kind;
  }

  synchronized long count(Handle tx, Instant now) {
    if (!now.isBefore(counted.plus(COUNTED_AGAIN))) {
      count =
          tx.createQuery("SELECT count(*) FROM timers WHERE kind = :kind")
              .bind("kind", kind)
              .mapTo(Long.class)
              .one();
      counted = now;
    }
    return count;
  }
}
