package dev.slipway.postgres.reconcile;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Keys of one kind that this replica leaves alone for a moment. A key that another transaction has
 * locked is tried again soon, and later each time it is still locked. A key whose turn takes long
 * rests three times as long, so that the signals of many runs that end one after the other share
 * one turn; a quick turn needs no rest.
 */
final class Pauses {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration QUICK = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int TIMES = 3;
  private static final int MOST_DOUBLINGS = 10;

  /** A try of a locked key costs a transaction that does nothing. */
  private static final Duration LONGEST_LOCKED = Duration.ofSeconds(1);

  /**
   * A try of a key with a locked row holds a worker for as long as statements wait for locks, so a
   * few such keys must not keep all workers of the kind.
   */
  private static final Duration LONGEST_ROW_LOCKED = Duration.ofSeconds(20);

  private final LongSupplier nanos;
  private final Map<String, Pause> pauses = new ConcurrentHashMap<>();

  Pauses() {
    this(System::nanoTime);
  }

  /** By a clock that only counts on. */
  Pauses(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Kept for a while after its end, since another replica may have taken the turn.
   *
   * @param locked how often in a row the key was found locked
   * @param ended whether the loop has seen the end
   */
  private record Pause(long end, int locked, boolean ended) {
    boolean over(long now) {
      return end - now <= 0;
    }

    Pause at(long now) {
      return over(now) ? new Pause(end, locked, true) : this;
    }

    boolean forgotten(long now) {
      return end + LONGEST_ROW_LOCKED.toNanos() - now <= 0;
    }
  }

  /** Its turn took so long. */
  void afterTurn(String key, Duration took) {
    pauses.remove(key);
    if (took.compareTo(QUICK) > 0) {
      put(key, shorter(took.multipliedBy(TIMES), LONGEST));
    }
  }

  /** Another transaction has the key's lock. */
  void locked(String key) {
    again(key, FIRST, LONGEST_LOCKED);
  }

  /** Another transaction has a row that the turn needs, and a worker has waited for it so long. */
  void rowLocked(String key, Duration waited) {
    again(key, waited.compareTo(FIRST) > 0 ? waited : FIRST, LONGEST_ROW_LOCKED);
  }

  private void again(String key, Duration first, Duration longest) {
    pauses.compute(
        key,
        (_, before) -> {
          int locked = before == null ? 0 : Math.min(before.locked(), MOST_DOUBLINGS);
          Duration pause = shorter(first.multipliedBy(1L << locked), longest);
          return new Pause(nanos.getAsLong() + pause.toNanos(), locked + 1, false);
        });
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** The database did not answer. */
  void put(String key, Duration pause) {
    pauses.put(key, new Pause(nanos.getAsLong() + pause.toNanos(), 0, false));
  }

  /** Those that are left alone now. */
  Set<String> now() {
    long now = nanos.getAsLong();
    pauses.values().removeIf(pause -> pause.forgotten(now));
    pauses.replaceAll((_, pause) -> pause.at(now));
    return pauses.entrySet().stream()
        .filter(e -> !e.getValue().ended())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** How long until the first of them ends. */
  Optional<Duration> shortest() {
    long now = nanos.getAsLong();
    return pauses.values().stream()
        .filter(pause -> !pause.ended())
        .map(pause -> Duration.ofNanos(Math.max(0, pause.end() - now)))
        .min(Duration::compareTo);
  }
}
