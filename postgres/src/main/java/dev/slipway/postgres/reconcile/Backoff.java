package dev.slipway.postgres.reconcile;

import java.time.Duration;

/** How long a key whose turns fail waits for the next one. */
final class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 10;

  private Backoff() {}

  /** After so many failures in a row, one at least. */
  static Duration after(int failures) {
    Duration doubled = FIRST.multipliedBy(1L << Math.clamp(failures - 1L, 0, MOST_DOUBLINGS));
    return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }
}
