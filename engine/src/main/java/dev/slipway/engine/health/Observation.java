package dev.slipway.engine.health;

import java.time.Duration;
import java.time.Instant;

/**
 * What is known about a node: the newest sample, and what the samples before it add.
 *
 * @param since from when on every sample of the same request found the same health
 * @param seen whether a sample of the same request found the node there
 */
public record Observation(Sample sample, Instant since, boolean seen) {
  /** An unchanged sample that no gate waits for is written when the kept one is that old. */
  public static final Duration KEPT_AS_IT_IS = Duration.ofMinutes(1);

  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

  /** What a sample does to what is known. */
  public enum Effect {
    /** Nothing is written. */
    NONE,
    /** The same again, later. */
    REFRESH,
    /** The same health for another request, revision or reason. */
    RENEWAL,
    /** Another health. */
    CHANGE
  }

  /** Whether an open gate waits for samples of the node. */
  public enum Demand {
    NO_GATE,
    GATE_WAITS
  }

  /** After the first sample. */
  public static Observation first(Sample sample) {
    return new Observation(sample, sample.at(), sample.health().live());
  }

  /** After one more sample, which is newer. */
  public Observation then(Sample next) {
    boolean sameRequest = next.request().equals(sample.request());
    boolean unchanged = sameRequest && next.health() == sample.health();
    return new Observation(
        next, unchanged ? since : next.at(), sameRequest && seen || next.health().live());
  }

  /** What becomes of a sample. A change is always written: the next look may be far away. */
  public Effect effect(Sample next, Demand demand) {
    if (!next.at().isAfter(sample.at())) {
      return Effect.NONE;
    }
    if (next.health() != sample.health()) {
      return Effect.CHANGE;
    }
    if (!sameContent(next)) {
      return Effect.RENEWAL;
    }
    Duration least =
        switch (demand) {
          case GATE_WAITS -> BETWEEN_WRITES;
          case NO_GATE -> KEPT_AS_IT_IS;
        };
    return next.at().isBefore(sample.at().plus(least)) ? Effect.NONE : Effect.REFRESH;
  }

  private boolean sameContent(Sample next) {
    return next.request().equals(sample.request())
        && next.revision().equals(sample.revision())
        && next.stale().equals(sample.stale())
        && next.message().equals(sample.message())
        && next.rule().equals(sample.rule());
  }
}
