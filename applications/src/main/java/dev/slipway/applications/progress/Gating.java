package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.GateRecord.Stage;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.ResourceGate;
import dev.slipway.applications.plan.ResourceHealth;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Verdict;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gates of resources that were made as asked for: whether dependents may begin, and the looks
 * that decide it. The first look of an attempt begins in the turn that applies the end of its run.
 */
record Gating(Offers offers, RunParameters parameters, Instant now) {
  /** Codes of reasons that looks have found. */
  private static final Set<String> FOUND =
      Set.of(StepError.DRIFT, StepError.MISSING, StepError.NOT_OURS);

  /** A resource that a look has found otherwise stays stuck once its gate has been open. */
  ResourceVerdict of(KnownResource resource) {
    ResourceHealth health = resource.health();
    if (health.open()) {
      return open(resource);
    }
    if (!resource.active() && !degradedByLook(resource)) {
      return ResourceVerdict.stuck(resource.state(), Reason.of(resource));
    }
    GateRecord gate = health.gate().orElse(GateRecord.CLOSED);
    return switch (ResourceGate.judge(resource, observed(resource), now)) {
      case Verdict.Open() ->
          open(resource).with(new Move.Judged(resource.id(), gate.at(Stage.OPEN, now)));
      case Verdict.Waits(GateReason _, Instant until) ->
          waits(resource, gate.at(Stage.WAITING, now), until);
      case Verdict.Fails(GateReason reason) -> fails(resource, gate.at(Stage.FAILED, now), reason);
    };
  }

  private static ResourceVerdict open(KnownResource resource) {
    return resource.active()
        ? ResourceVerdict.done(resource.state())
        : ResourceVerdict.stuck(resource.state(), Reason.of(resource));
  }

  private static boolean degradedByLook(KnownResource resource) {
    Map<String, @Nullable Object> reason = resource.reason();
    return resource.state() == ResourceState.DEGRADED
        && reason != null
        && FOUND.contains(String.valueOf(reason.get("code")));
  }

  private ResourceVerdict waits(KnownResource resource, GateRecord gate, Instant until) {
    Optional<Resolution.Definition> definition = read(resource);
    if (definition.isEmpty()) {
      return ResourceVerdict.gated(resource.state(), until).with(changed(resource, gate));
    }
    Optional<Observation> observed = resource.health().observed();
    if (ResourceGate.nextLook(gate, observed, now).isAfter(now)) {
      return gated(resource, gate, until);
    }
    return look(resource, definition.get())
        .map(look -> gated(resource, gate.asked(now), until).with(look))
        .orElseGet(
            () -> ResourceVerdict.gated(resource.state(), until).with(changed(resource, gate)));
  }

  private ResourceVerdict gated(KnownResource resource, GateRecord gate, Instant until) {
    Instant next = ResourceGate.nextLook(gate, resource.health().observed(), now);
    return ResourceVerdict.gated(resource.state(), next.isBefore(until) ? next : until)
        .with(changed(resource, gate));
  }

  private static ResourceVerdict fails(KnownResource resource, GateRecord gate, GateReason reason) {
    return ResourceVerdict.stuck(resource.state(), Reason.of(resource, reason))
        .with(changed(resource, gate));
  }

  private static Move[] changed(KnownResource resource, GateRecord gate) {
    return Optional.of(gate).equals(resource.health().gate())
        ? new Move[0]
        : new Move[] {new Move.Judged(resource.id(), gate)};
  }

  private Optional<Resolution.Definition> read(KnownResource resource) {
    return offers.with(resource, Operation.READ) instanceof Resolution.Found(var definition, var _)
        ? Optional.of(definition)
        : Optional.empty();
  }

  /** Empty when its parameters cannot be bound; the schedule of looks says so in a sample. */
  private Optional<Move> look(KnownResource resource, Resolution.Definition definition) {
    Map<String, @Nullable Object> applied =
        resource.appliedParams() == null ? Map.of() : resource.appliedParams();
    return parameters.bind(resource, Operation.READ, definition, applied)
            instanceof RunParameters.Result.Bound(var values)
        ? Optional.of(new Move.Look(resource, definition, values))
        : Optional.empty();
  }

  /** Where nothing can look, the success of the run is the sample of the attempt. */
  private Optional<Observation> observed(KnownResource resource) {
    ResourceHealth health = resource.health();
    Instant ended = health.ended();
    if (ended == null || !resource.active() || !offers.unobservable(resource)) {
      return health.observed();
    }
    return Optional.of(
        Observation.first(
            new Sample(
                health.node(),
                Health.HEALTHY,
                afterTheAttempt(ended, health.attempted()),
                Optional.of(String.valueOf(resource.run())),
                String.valueOf(resource.appliedHash()),
                List.of(),
                "the run succeeded",
                Sample.RUN_SUCCEEDED)));
  }

  /** A run ends after it was made, also by the clocks of two replicas, or by one that is coarse. */
  private static Instant afterTheAttempt(Instant ended, Instant attempted) {
    return ended.isAfter(attempted) ? ended : attempted.plusNanos(1);
  }
}
