package dev.slipway.engine.execute;

import java.time.Duration;

/**
 * How replicas share what comes in. The one that is asked for something hears of it first and would
 * take it all; so whoever has work already waits a moment before it takes more, the longer the more
 * it has, and takes little at a time. A replica alone waits for nobody.
 */
final class ClaimFairness {
  /** More than it takes to tell another replica, for a handful of runs. */
  private static final Duration PER_RUN = Duration.ofMillis(10);

  private static final Duration LACKS = Duration.ofSeconds(1);
  private static final int MOST_RUNS = 10;
  private static final int FIRST_BATCH = 4;

  private ClaimFairness() {}

  /** How long a replica that holds so many runs lets others go first. */
  static Duration pause(int held, int others) {
    return others == 0 ? Duration.ZERO : PER_RUN.multipliedBy(Math.min(held, MOST_RUNS));
  }

  /**
   * How long a replica does so that cannot carry out what it takes: it never has work, and would be
   * the first again and again.
   */
  static Duration pauseOfOneThatLacks(int others) {
    return others == 0 ? Duration.ZERO : LACKS;
  }

  /** How many it takes then: as many again as it holds, so that a long queue is worked off fast. */
  static int atMost(int room, int held, int others) {
    return others == 0 ? room : Math.min(room, Math.max(FIRST_BATCH, held));
  }
}
