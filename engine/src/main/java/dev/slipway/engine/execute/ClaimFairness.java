package dev.slipway.engine.execute;

import java.time.Duration;

/**
 * How replicas share new runs. The replica that stored them could claim all of them before any
 * notification arrives. So a replica that holds runs pauses before each claim, longer the more it
 * holds, and claims small batches. A single replica neither pauses nor limits its batches.
 */
final class ClaimFairness {
  /** A few of these exceed the delay of a notification to another replica. */
  private static final Duration PER_RUN = Duration.ofMillis(10);

  private static final Duration LACKS = Duration.ofSeconds(1);
  private static final int MOST_RUNS = 10;
  private static final int FIRST_BATCH = 4;

  private ClaimFairness() {}

  /** How long a replica that holds so many runs waits before it claims more. */
  static Duration pause(int held, int others) {
    return others == 0 ? Duration.ZERO : PER_RUN.multipliedBy(Math.min(held, MOST_RUNS));
  }

  /**
   * The pause of a replica that lacks the files of providers: it gives back what it claims, so it
   * always holds little and would claim first again and again.
   */
  static Duration pauseOfOneThatLacks(int others) {
    return others == 0 ? Duration.ZERO : LACKS;
  }

  /** The batch size: as many as the replica holds, so that it doubles while a queue is long. */
  static int atMost(int room, int held, int others) {
    return others == 0 ? room : Math.min(room, Math.max(FIRST_BATCH, held));
  }
}
