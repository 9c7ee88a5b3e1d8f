package dev.slipway.engine.health;

import java.time.Instant;

/** What a gate says about an attempt. */
public sealed interface Verdict {
  /** What waits may begin. */
  record Open() implements Verdict {}

  /**
   * Not yet.
   *
   * @param until when to judge again, at the latest: then the verdict may be another one though no
   *     sample has come
   */
  record Waits(GateReason reason, Instant until) implements Verdict {}

  /** The attempt has failed. */
  record Fails(GateReason reason) implements Verdict {}
}
