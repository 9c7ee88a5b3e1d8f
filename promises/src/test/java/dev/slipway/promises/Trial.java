package dev.slipway.promises;

import java.util.Random;

/** How long to try, and from which seed everything random follows. */
final class Trial {
  /**
   * {@code -Dpromises.minutes}: zero in a normal build, which tries everything for a short time.
   */
  static final int MINUTES = Integer.getInteger("promises.minutes", 0);

  /** {@code -Dpromises.seed} repeats what an earlier trial did. */
  static final long SEED = Long.getLong("promises.seed", new Random().nextInt(1_000_000));

  private Trial() {}

  static boolean isLong() {
    return MINUTES > 0;
  }

  static void announce(Class<?> test) {
    System.out.printf("%s: promises.seed=%d%n", test.getSimpleName(), SEED);
  }
}
