package dev.slipway.engine.health;

import dev.slipway.engine.health.GateReason.Code;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Judges a gate whose newest sample is fresh. */
record FreshSample(GateRequest request, Observation known, Instant now) {
  Verdict verdict() {
    GateRequest.Limits limits = request.limits();
    return switch (known.sample().health()) {
      case HEALTHY -> healthy();
      case PROGRESSING, SUSPENDED -> Gate.waits(request, now, reason(Code.HEALTH_PROGRESSING));
      case MISSING ->
          known.seen()
              ? grace(Code.DEGRADED_GRACE, limits.degradedGrace())
              : Gate.waits(request, now, reason(Code.HEALTH_PROGRESSING));
      case DEGRADED -> grace(Code.DEGRADED_GRACE, limits.degradedGrace());
      case UNKNOWN -> grace(Code.UNKNOWN_GRACE, limits.unknownGrace());
      case FAILED -> new Verdict.Fails(reason(Code.FAILED));
    };
  }

  /**
   * Stability is seen too: a sample has to find the node Healthy that long after the first one. A
   * node that was stable before the deadline opens the gate however late it is judged.
   */
  private Verdict healthy() {
    Instant stable = known.since().plus(request.limits().stableFor());
    Instant sampled = known.sample().at();
    if (!stable.isAfter(sampled) && !sampled.isAfter(request.deadline())) {
      return new Verdict.Open();
    }
    return until(stable, Gate.waits(request, now, reason(Code.STABILISING)));
  }

  private Verdict grace(Code code, Duration grace) {
    Instant end = known.since().plus(grace);
    return end.isAfter(now)
        ? until(end, Gate.waits(request, now, reason(code)))
        : new Verdict.Fails(reason(Code.NOT_HEALTHY));
  }

  private Verdict until(Instant next, Verdict verdict) {
    return verdict instanceof Verdict.Waits(GateReason reason, Instant until)
            && next.isAfter(now)
            && next.isBefore(until)
        ? new Verdict.Waits(reason, next)
        : verdict;
  }

  private GateReason reason(Code code) {
    Sample sample = known.sample();
    String detail = sample.message().isEmpty() ? "is " + sample.health().text() : sample.message();
    return new GateReason(
        code, sample.node(), Optional.of(sample.health()), detail, sample.stale());
  }
}
