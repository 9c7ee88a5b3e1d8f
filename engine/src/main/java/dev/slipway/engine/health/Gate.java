package dev.slipway.engine.health;

import dev.slipway.engine.health.GateReason.Code;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The only way from one node to the next: it opens on samples of this very attempt. */
public final class Gate {
  private Gate() {}

  /** What is known about the node decides; samples of other attempts never count, good or bad. */
  public static Verdict judge(GateRequest request, Optional<Observation> observed, Instant now) {
    if (observed.isEmpty()) {
      Stale never = new Stale("sampled-after", request.at().toString(), "never");
      return waits(
          request,
          now,
          new GateReason(
              Code.STALE_HEALTH,
              request.node(),
              Optional.empty(),
              "not looked at yet",
              List.of(never)));
    }
    Observation known = observed.get();
    List<Stale> stale = stale(request, known.sample());
    if (!stale.isEmpty()) {
      return waits(
          request,
          now,
          new GateReason(
              Code.STALE_HEALTH,
              request.node(),
              Optional.of(known.sample().health()),
              stale.getFirst().toString(),
              stale));
    }
    return new Attempt(request, known, now).verdict();
  }

  private static List<Stale> stale(GateRequest request, Sample sample) {
    List<Stale> failed = new ArrayList<>(sample.stale());
    if (failed.isEmpty() && !sample.request().equals(Optional.of(request.request()))) {
      failed.add(new Stale("request", request.request(), sample.request().orElse("none")));
    }
    if (!sample.revision().equals(request.revision())) {
      failed.add(new Stale("revision", request.revision(), sample.revision()));
    }
    if (!sample.at().isAfter(request.at())) {
      failed.add(new Stale("sampled-after", request.at().toString(), sample.at().toString()));
    }
    return failed;
  }

  private static Verdict waits(GateRequest request, Instant now, GateReason reason) {
    if (now.isBefore(request.deadline())) {
      return new Verdict.Waits(reason, request.deadline());
    }
    return new Verdict.Fails(
        new GateReason(
            Code.TIMED_OUT,
            reason.node(),
            reason.health(),
            "not Healthy by " + request.deadline() + ": " + reason.detail(),
            reason.stale()));
  }

  /** One whose newest sample is fresh. */
  private record Attempt(GateRequest request, Observation known, Instant now) {
    Verdict verdict() {
      GateRequest.Limits limits = request.limits();
      return switch (known.sample().health()) {
        case HEALTHY -> healthy();
        case PROGRESSING, SUSPENDED -> waits(request, now, reason(Code.HEALTH_PROGRESSING));
        case MISSING ->
            known.seen()
                ? grace(Code.DEGRADED_GRACE, limits.degradedGrace())
                : waits(request, now, reason(Code.HEALTH_PROGRESSING));
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
      return until(stable, waits(request, now, reason(Code.STABILISING)));
    }

    private Verdict grace(Code code, Duration grace) {
      Instant end = known.since().plus(grace);
      return end.isAfter(now)
          ? until(end, waits(request, now, reason(code)))
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
      String detail =
          sample.message().isEmpty() ? "is " + sample.health().text() : sample.message();
      return new GateReason(
          code, sample.node(), Optional.of(sample.health()), detail, sample.stale());
    }
  }
}
