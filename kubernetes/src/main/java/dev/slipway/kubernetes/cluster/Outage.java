package dev.slipway.kubernetes.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a cluster's failure to answer. After a failure requests are refused at once
 * until a moment has passed that doubles with each failure; then one request tries again.
 */
final class Outage {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private int failures;
  private Instant closedUntil = Instant.MIN;

  /** How long a request has to wait; empty when it may try now, and then the next one waits. */
  synchronized Optional<Duration> wait(Instant now) {
    if (failures == 0) {
      return Optional.empty();
    }
    if (now.isBefore(closedUntil)) {
      return Optional.of(Duration.between(now, closedUntil));
    }
    closedUntil = now.plus(FIRST);
    return Optional.empty();
  }

  synchronized void answered() {
    failures = 0;
    closedUntil = Instant.MIN;
  }

  /** Notes a failure; how long to leave the cluster alone now. */
  synchronized Duration failed(Instant now) {
    failures++;
    Duration pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 4));
    pause = pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    closedUntil = now.plus(pause);
    return pause;
  }
}
