package dev.slipway.applications.explain;

import dev.slipway.applications.explain.Explanation.ClosedGate;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * A gate that is not open.
 *
 * @param since when it began to wait; empty: it was not judged yet
 * @param observed what looks have found of its resource
 */
public record Gated(Verdict verdict, Optional<Instant> since, Optional<Observation> observed) {
  GateReason reason() {
    return GateText.reason(verdict).orElseThrow();
  }

  String known() {
    return GateText.known(reason(), observed);
  }

  boolean failed() {
    return verdict instanceof Verdict.Fails;
  }

  ClosedGate shown() {
    GateReason reason = reason();
    return new ClosedGate(
        reason.code().text(),
        reason.node().text(),
        reason.health().map(Health::text).orElse(null),
        known(),
        since.orElse(null),
        verdict instanceof Verdict.Waits(GateReason _, Instant until) ? until : null);
  }
}
