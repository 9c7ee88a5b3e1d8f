package dev.slipway.applications.progress;

import static dev.slipway.applications.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.FAILED;
import static dev.slipway.applications.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.REQUESTED;
import static dev.slipway.applications.lifecycle.ResourceState.UPDATING;

import dev.slipway.applications.plan.Binding;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.Wanted;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** What next for a resource that is wanted. */
final class Provisioning {
  private final Offers offers;
  private final String implicit;
  private final RunParameters parameters;
  private final SecretBox box;
  private final Fingerprint fingerprint;
  private final Observe.Drift drift;
  private final Gating gating;
  private final Instant now;

  Provisioning(Offers offers, SecretBox box, Situation situation, Observe.Drift drift) {
    this.drift = drift;
    this.now = situation.now();
    this.implicit = Wanted.workloadIdentity(situation.name());
    this.parameters = new RunParameters(situation, box);
    this.offers = offers;
    this.box = box;
    this.fingerprint = new Fingerprint(box);
    this.gating = new Gating(offers, parameters, situation.now());
  }

  ResourceVerdict next(KnownResource resource, Function<UUID, Binding.Answer> answers) {
    Binding.Bound bound = bind(resource, answers);
    return switch (resource.state()) {
      case DELETED -> begin(resource.revived(), bound).with(new Move.Revive(resource.id()));
      case REQUESTED -> requested(resource, bound);
      case PROVISIONING -> ResourceVerdict.moving(PROVISIONING);
      case UPDATING -> updating(resource, bound);
      case ACTIVE, DEGRADED -> standing(resource, bound);
      case FAILED -> failed(resource, bound);
      case DEPROVISIONING ->
          resource.busy() ? ResourceVerdict.moving(DEPROVISIONING) : deleteFirst(resource);
    };
  }

  private Binding.Bound bind(KnownResource resource, Function<UUID, Binding.Answer> answers) {
    Map<String, UUID> names = new HashMap<>();
    boolean waits = false;
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      if (dependency.wanted()) {
        names.put(dependency.name(), dependency.on());
        waits |= answers.apply(dependency.on()) instanceof Binding.Answer.Pending;
      }
    }
    Binding.Typing typing =
        resource.identity().equals(implicit) ? Binding.Typing.TEXT : Binding.Typing.KEPT;
    Binding.Bound bound =
        Binding.bind(
            resource.params(),
            typing,
            box,
            name -> {
              UUID id = names.get(name);
              return id == null ? new Binding.Answer.Absent() : answers.apply(id);
            });
    // A workload waits for everything that its application uses, named in it or not.
    return waits && bound.pending().isEmpty()
        ? new Binding.Bound(bound.value(), Set.of("*"), bound.missing(), bound.hint())
        : bound;
  }

  private ResourceVerdict requested(KnownResource resource, Binding.Bound bound) {
    if (resource.work() == Work.STARTED) {
      return ResourceVerdict.moving(REQUESTED);
    }
    if (resource.work() == Work.UNSTARTED && resource.run() != null) {
      boolean same =
          bound.complete() && fingerprint.of(bound.value()).equals(resource.attemptedHash());
      return same
          ? ResourceVerdict.moving(REQUESTED)
          : begin(resource, bound).with(new Move.Drop(resource.id(), resource.run()));
    }
    return begin(resource, bound);
  }

  /** Creates it as soon as everything before it is there. */
  private ResourceVerdict begin(KnownResource resource, Binding.Bound bound) {
    if (!bound.pending().isEmpty()) {
      return ResourceVerdict.waiting(REQUESTED);
    }
    if (!bound.missing().isEmpty()) {
      return fail(resource, Reason.missing(bound));
    }
    return switch (start(resource, Operation.CREATE, bound)) {
      case Startable.Yes(Move.Start start) -> ResourceVerdict.moving(REQUESTED).with(start);
      case Startable.No(Reason reason) -> fail(resource, reason);
    };
  }

  /** Whether a run can begin. */
  private sealed interface Startable {
    record Yes(Move.Start start) implements Startable {}

    record No(Reason reason) implements Startable {}
  }

  private Startable start(KnownResource resource, Operation operation, Binding.Bound bound) {
    Resolution resolution =
        operation == Operation.CREATE && !resource.everActive()
            ? offers.create(resource.type(), resource.tags())
            : offers.with(resource, operation);
    if (!(resolution instanceof Resolution.Found(var definition, var _))) {
      return new Startable.No(Reason.unresolved(resolution, operation));
    }
    return switch (parameters.bind(resource, operation, definition, bound.map())) {
      case RunParameters.Result.Bound(var values) ->
          new Startable.Yes(
              new Move.Start(
                  resource,
                  operation,
                  definition,
                  bound.map(),
                  fingerprint.of(bound.value()),
                  values));
      case RunParameters.Result.Refused(Reason reason) -> new Startable.No(reason);
    };
  }

  private static ResourceVerdict fail(KnownResource resource, Reason reason) {
    return ResourceVerdict.stuck(FAILED, reason)
        .with(
            new Move.Transit(
                resource.id(), REQUESTED, FAILED, Actor.ENGINE, reason.message(), reason));
  }

  /** It is there; is it as asked for? */
  private ResourceVerdict standing(KnownResource resource, Binding.Bound bound) {
    if (resource.busy()) {
      return ResourceVerdict.moving(resource.state());
    }
    if (resource.replacing()) {
      return deleteFirst(resource);
    }
    if (!bound.pending().isEmpty()) {
      return ResourceVerdict.waiting(resource.state());
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    String hash = fingerprint.of(bound.value());
    if (hash.equals(resource.appliedHash())) {
      return Correction.of(resource, drift)
          .map(operation -> corrected(resource, operation, bound))
          .orElseGet(() -> asAsked(resource));
    }
    return hash.equals(resource.attemptedHash())
        ? ResourceVerdict.stuck(resource.state(), Reason.of(resource))
        : work(resource, Operation.UPDATE, bound, Correction.Cause.PARAMS);
  }

  private ResourceVerdict corrected(
      KnownResource resource, Operation operation, Binding.Bound bound) {
    return Correction.pausedUntil(resource)
        .filter(now::isBefore)
        .map(until -> asAsked(resource).again(until))
        .orElseGet(() -> work(resource, operation, bound, Correction.Cause.DRIFT));
  }

  /** An update that no replica has begun is replaced by a newer one. */
  private ResourceVerdict updating(KnownResource resource, Binding.Bound bound) {
    UUID replaceable = resource.work() == Work.UNSTARTED ? resource.run() : null;
    boolean unstarted = replaceable != null;
    if (resource.work() == Work.STARTED || unstarted && !bound.complete()) {
      return ResourceVerdict.moving(UPDATING);
    }
    if (!bound.pending().isEmpty()) {
      return ResourceVerdict.waiting(UPDATING);
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    if (unstarted && fingerprint.of(bound.value()).equals(resource.attemptedHash())) {
      return ResourceVerdict.moving(UPDATING);
    }
    return switch (start(resource, Operation.UPDATE, bound)) {
      case Startable.Yes(Move.Start start) -> {
        ResourceVerdict moving = ResourceVerdict.moving(UPDATING).with(start);
        yield replaceable == null ? moving : moving.with(new Move.Drop(resource.id(), replaceable));
      }
      case Startable.No(Reason reason) ->
          unstarted ? ResourceVerdict.moving(UPDATING) : complain(resource, reason);
    };
  }

  /** Once its gate is open, what only the configuration before needed may go. */
  private ResourceVerdict asAsked(KnownResource resource) {
    ResourceVerdict gated = gating.of(resource);
    if (!resource.active()) {
      return gated;
    }
    boolean leftovers = gated.done() && resource.dependencies().stream().anyMatch(d -> !d.wanted());
    ResourceVerdict next = leftovers ? gated.with(new Move.Forget(resource.id())) : gated;
    return resource.reason() == null ? next : next.with(new Move.Complain(resource.id(), null));
  }

  private ResourceVerdict work(
      KnownResource resource, Operation operation, Binding.Bound bound, Correction.Cause cause) {
    return switch (start(resource, operation, bound)) {
      case Startable.Yes(Move.Start start) ->
          ResourceVerdict.moving(UPDATING)
              .with(
                  new Move.Transit(
                      resource.id(), resource.state(), UPDATING, cause.actor(), cause.why(), null),
                  start);
      case Startable.No(Reason reason) -> complain(resource, reason);
    };
  }

  private ResourceVerdict failed(KnownResource resource, Binding.Bound bound) {
    if (resource.busy()) {
      // Its last run is being undone once more: nothing begins beside that.
      return ResourceVerdict.stuck(FAILED, Reason.of(resource));
    }
    if (resource.deleteFailed()) {
      return retryAsked(resource)
          ? deleteFirst(resource)
          : ResourceVerdict.stuck(FAILED, Reason.of(resource));
    }
    if (resource.replacing()) {
      return deleteFirst(resource);
    }
    if (!resource.everActive() && resolvable(resource)) {
      return begin(resource, bound)
          .with(
              new Move.Transit(
                  resource.id(),
                  FAILED,
                  REQUESTED,
                  Actor.REGISTRY,
                  "its type can be resolved",
                  null));
    }
    if (!retryAsked(resource)) {
      return ResourceVerdict.stuck(FAILED, Reason.of(resource));
    }
    if (!bound.pending().isEmpty()) {
      return ResourceVerdict.waiting(FAILED);
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    return resource.everActive()
        ? work(resource, Operation.UPDATE, bound, Correction.Cause.RETRY)
        : again(resource, bound);
  }

  private ResourceVerdict again(KnownResource resource, Binding.Bound bound) {
    return switch (start(resource, Operation.CREATE, bound)) {
      case Startable.Yes(Move.Start start) ->
          ResourceVerdict.moving(PROVISIONING)
              .with(
                  new Move.Transit(resource.id(), FAILED, PROVISIONING, Actor.USER, "retry", null),
                  start);
      case Startable.No(Reason reason) -> complain(resource, reason);
    };
  }

  /** Failed for want of a provider, and now there is one. */
  private boolean resolvable(KnownResource resource) {
    Object code = resource.reason() == null ? null : resource.reason().get("code");
    return (Reason.NO_PROVIDER.equals(code)
            || Reason.CONFLICT.equals(code)
            || Reason.NOT_SUPPORTED.equals(code)
            || Reason.MISSING_PROGRAM.equals(code)
            || Reason.POLICY.equals(code))
        && offers.create(resource.type(), resource.tags()) instanceof Resolution.Found;
  }

  /** A request for another attempt clears the error of the last one. */
  static boolean retryAsked(KnownResource resource) {
    return resource.reason() == null && resource.attemptedHash() == null;
  }

  /** It has to go before it can come again. */
  private ResourceVerdict deleteFirst(KnownResource resource) {
    return Deprovisioning.delete(
        offers, parameters, resource, Actor.INTAKE, "deleted to be created anew");
  }

  private static ResourceVerdict complain(KnownResource resource, Reason reason) {
    ResourceVerdict stuck = ResourceVerdict.stuck(resource.state(), reason);
    boolean known = resource.reason() != null && reason.tree().equals(resource.reason());
    return known ? stuck : stuck.with(new Move.Complain(resource.id(), reason));
  }
}
