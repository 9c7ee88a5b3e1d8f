package dev.slipway.postgres.reconcile;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys of one kind that this replica leaves alone for a moment. A key that another transaction has
 * locked is tried again soon. A key whose turn takes long rests three times as long, so that the
 * signals of many runs that end one after the other share one turn; a quick turn needs no rest.
 */
final class Pauses {
  private static final Duration LOCKED = Duration.ofMillis(50);
  private static final Duration QUICK = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int TIMES = 3;

  private final Map<String, Long> until = new ConcurrentHashMap<>();

  /** Its turn took so long. */
  void afterTurn(String key, Duration took) {
    if (took.compareTo(QUICK) > 0) {
      Duration rest = took.multipliedBy(TIMES);
      put(key, rest.compareTo(LONGEST) < 0 ? rest : LONGEST);
    }
  }

  /** Another transaction has it. */
  void locked(String key) {
    put(key, LOCKED);
  }

  /** The database did not answer. */
  void put(String key, Duration pause) {
    until.put(key, System.nanoTime() + pause.toNanos());
  }

  /** Those that are left alone now. */
  Set<String> now() {
    long now = System.nanoTime();
    until.values().removeIf(end -> end - now <= 0);
    return Set.copyOf(until.keySet());
  }

  /** How long until the first of them ends. */
  Optional<Duration> shortest() {
    long now = System.nanoTime();
    return until.values().stream()
        .map(end -> Duration.ofNanos(Math.max(0, end - now)))
        .min(Duration::compareTo);
  }
}
