package dev.slipway.engine.workflow;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How often a step is tried, and how long between two attempts. */
public record Retry(
    int attempts, Backoff backoff, Duration delay, Duration maxDelay, double jitter, On on) {

  /** How the delay grows. */
  public enum Backoff {
    FIXED,
    LINEAR,
    EXPONENTIAL
  }

  /** Which failures are tried again. */
  public enum On {
    TRANSIENT,
    ANY
  }

  /** Tried once. */
  public static final Retry ONCE =
      new Retry(
          1, Backoff.EXPONENTIAL, Duration.ofSeconds(5), Duration.ofMinutes(5), 0.2, On.TRANSIENT);

  /** The same with another number of attempts. */
  public Retry withAttempts(int count) {
    return new Retry(count, backoff, delay, maxDelay, jitter, on);
  }

  /** The delay before the attempt after {@code failed} failed ones, with jitter. */
  public Duration delayAfter(int failed, RandomGenerator random) {
    double factor =
        switch (backoff) {
          case FIXED -> 1;
          case LINEAR -> failed;
          case EXPONENTIAL -> Math.pow(2, Math.min(failed - 1, 40));
        };
    double capped = Math.min(delay.toMillis() * factor, maxDelay.toMillis());
    double spread = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.round(capped * spread));
  }
}
