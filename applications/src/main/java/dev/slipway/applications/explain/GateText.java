package dev.slipway.applications.explain;

import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Verdict;
import java.time.Instant;
import java.util.Optional;

/** Health and gates in sentences. */
public final class GateText {
  private GateText() {}

  /** Why a gate is not open; empty when it is. */
  public static Optional<GateReason> reason(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Open() -> Optional.empty();
      case Verdict.Waits(GateReason reason, Instant _) -> Optional.of(reason);
      case Verdict.Fails(GateReason reason) -> Optional.of(reason);
    };
  }

  /** {@code Missing since 2026-03-01T10:00:00Z: the database is gone}. */
  public static String observed(Observation observed) {
    Sample sample = observed.sample();
    String found = sample.health().text() + " since " + observed.since();
    return sample.message().isEmpty() ? found : found + ": " + sample.message();
  }

  /** What is known about a resource whose gate is not open. */
  public static String known(GateReason reason, Optional<Observation> observed) {
    return switch (reason.code()) {
      case STALE_HEALTH ->
          reason.health().isEmpty() ? reason.detail() : "not looked at since its last run";
      case TIMED_OUT, FAILED -> reason.detail();
      case HEALTH_PROGRESSING, STABILISING, DEGRADED_GRACE, UNKNOWN_GRACE, NOT_HEALTHY ->
          observed.map(GateText::observed).orElseGet(() -> found(reason));
    };
  }

  private static String found(GateReason reason) {
    return reason.health().map(Health::text).orElse("unknown") + ": " + reason.detail();
  }
}
