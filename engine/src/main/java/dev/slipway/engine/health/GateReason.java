package dev.slipway.engine.health;

import dev.slipway.engine.graph.NodeRef;
import java.util.List;
import java.util.Optional;

/**
 * Why a gate is not open.
 *
 * @param health of the newest sample; empty: there is none
 * @param detail for people
 * @param stale the tests of freshness that the newest sample failed
 */
public record GateReason(
    Code code, NodeRef node, Optional<Health> health, String detail, List<Stale> stale) {
  /** Codes of the API. */
  public enum Code {
    STALE_HEALTH("StaleHealth"),
    HEALTH_PROGRESSING("HealthProgressing"),
    STABILISING("Stabilising"),
    DEGRADED_GRACE("DegradedGrace"),
    UNKNOWN_GRACE("UnknownGrace"),
    NOT_HEALTHY("DependencyNotHealthy"),
    FAILED("DependencyFailed"),
    TIMED_OUT("TimedOut");

    private final String text;

    Code(String text) {
      this.text = text;
    }

    /** As the API writes it. */
    public String text() {
      return text;
    }
  }
}
