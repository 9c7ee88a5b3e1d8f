package dev.slipway.engine.health;

import dev.slipway.engine.health.GateReason.Code;
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
    return new FreshSample(request, known, now).verdict();
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

  static Verdict waits(GateRequest request, Instant now, GateReason reason) {
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
}
