package dev.slipway.engine.health;

import dev.slipway.engine.graph.NodeRef;
import java.time.Duration;
import java.time.Instant;

/**
 * An attempt at a node that has to become Healthy before something else begins.
 *
 * @param request the key of the attempt
 * @param revision that the attempt rolls out
 * @param at when the attempt was made: only samples of later looks count
 */
public record GateRequest(
    NodeRef node, String request, String revision, Instant at, Limits limits) {

  /**
   * How long the gate waits.
   *
   * @param timeout for everything, from the request on
   * @param stableFor how long the node has to stay Healthy
   * @param degradedGrace how long it may be Degraded, or Missing after it was seen, without a break
   * @param unknownGrace how long looks at it may fail without a break
   */
  public record Limits(
      Duration timeout, Duration stableFor, Duration degradedGrace, Duration unknownGrace) {
    private static final Duration DEGRADED_GRACE = Duration.ofSeconds(60);
    private static final Duration UNKNOWN_GRACE = Duration.ofMinutes(2);

    /** With the usual graces. */
    public static Limits of(Duration timeout, Duration stableFor) {
      return new Limits(timeout, stableFor, DEGRADED_GRACE, UNKNOWN_GRACE);
    }
  }

  Instant deadline() {
    return at.plus(limits.timeout());
  }
}
