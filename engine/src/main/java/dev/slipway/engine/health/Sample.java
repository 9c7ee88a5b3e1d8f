package dev.slipway.engine.health;

import dev.slipway.engine.graph.NodeRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one look at a node found.
 *
 * @param at when the look began
 * @param request the attempt that it belongs to; the sampler names one only when every test of
 *     freshness holds
 * @param revision of the node that was looked at
 * @param stale the tests of freshness that failed
 * @param message why, for people; no secrets
 * @param rule which rule said so: {@code read}, {@code run-succeeded}, {@code Deployment}
 */
public record Sample(
    NodeRef node,
    Health health,
    Instant at,
    Optional<String> request,
    String revision,
    List<Stale> stale,
    String message,
    String rule) {

  /** The rule of the sample that a successful run is where nothing can look. */
  public static final String RUN_SUCCEEDED = "run-succeeded";

  /** The rule of the sample that says that nothing can look. */
  public static final String NOT_OBSERVABLE = "not-observable";

  public Sample {
    stale = List.copyOf(stale);
    if (request.isPresent() && !stale.isEmpty()) {
      throw new IllegalArgumentException(
          node + ": a sample that belongs to a request has passed all tests of freshness");
    }
  }

  /** This one, or the other if that one was taken later. */
  public Sample later(Sample other) {
    return other.at.isAfter(at) ? other : this;
  }
}
