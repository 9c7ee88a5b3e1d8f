package dev.slipway.postgres.applications;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Applications that are left alone for a moment. To move a large one on takes long and holds its
 * resources, while hundreds of runs end one after the other: without a rest it would be moved on
 * for each of them, and they would wait for it. Small ones never rest.
 */
final class Resting {
  private static final Duration QUICK = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int TIMES = 3;

  private final Map<UUID, Long> until = new ConcurrentHashMap<>();

  /** It has been moved on, and that took so long. */
  void after(UUID application, Duration took) {
    if (took.compareTo(QUICK) > 0) {
      long rest = Math.min(took.toNanos() * TIMES, LONGEST.toNanos());
      until.put(application, System.nanoTime() + rest);
    }
  }

  /** Those that rest now. */
  Set<UUID> now() {
    long now = System.nanoTime();
    until.values().removeIf(end -> end - now <= 0);
    return Set.copyOf(until.keySet());
  }
}
