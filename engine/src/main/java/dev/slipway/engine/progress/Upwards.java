package dev.slipway.engine.progress;

import static dev.slipway.engine.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.engine.lifecycle.ResourceState.FAILED;
import static dev.slipway.engine.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.engine.lifecycle.ResourceState.REQUESTED;
import static dev.slipway.engine.lifecycle.ResourceState.UPDATING;

import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.plan.Binding;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.plan.KnownResource;
import dev.slipway.engine.plan.KnownResource.Work;
import dev.slipway.engine.plan.Offers;
import dev.slipway.engine.plan.Wanted;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** What next for a resource that is wanted. */
final class Upwards {
  private final Offers offers;
  private final String implicit;
  private final RunParameters parameters;
  private final SecretBox box;
  private final Fingerprint fingerprint;

  Upwards(Offers offers, SecretBox box, Situation situation) {
    this.implicit = Wanted.workloadIdentity(situation.name());
    this.parameters = new RunParameters(situation, box);
    this.offers = offers;
    this.box = box;
    this.fingerprint = new Fingerprint(box);
  }

  Standing next(KnownResource resource, Function<UUID, Binding.Answer> answers) {
    Binding.Bound bound = bind(resource, answers);
    return switch (resource.state()) {
      case DELETED -> begin(resource.revived(), bound).with(new Move.Revive(resource.id()));
      case REQUESTED -> requested(resource, bound);
      case PROVISIONING -> Standing.moving(PROVISIONING);
      case UPDATING -> updating(resource, bound);
      case ACTIVE, DEGRADED -> standing(resource, bound);
      case FAILED -> failed(resource, bound);
      case DEPROVISIONING ->
          resource.busy() ? Standing.moving(DEPROVISIONING) : deleteFirst(resource);
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

  private Standing requested(KnownResource resource, Binding.Bound bound) {
    if (resource.work() == Work.STARTED) {
      return Standing.moving(REQUESTED);
    }
    if (resource.work() == Work.UNSTARTED && resource.run() != null) {
      boolean same =
          bound.complete() && fingerprint.of(bound.value()).equals(resource.attemptedHash());
      return same
          ? Standing.moving(REQUESTED)
          : begin(resource, bound).with(new Move.Drop(resource.id(), resource.run()));
    }
    return begin(resource, bound);
  }

  /** Creates it as soon as everything before it is there. */
  private Standing begin(KnownResource resource, Binding.Bound bound) {
    if (!bound.pending().isEmpty()) {
      return Standing.waiting(REQUESTED);
    }
    if (!bound.missing().isEmpty()) {
      return fail(resource, Reason.missing(bound));
    }
    return switch (start(resource, Operation.CREATE, bound)) {
      case Startable.Yes(Move.Start start) -> Standing.moving(REQUESTED).with(start);
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
        operation == Operation.CREATE
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

  private static Standing fail(KnownResource resource, Reason reason) {
    return Standing.stuck(FAILED, reason)
        .with(
            new Move.Transit(
                resource.id(), REQUESTED, FAILED, Actor.ENGINE, reason.message(), reason));
  }

  /** It is there; is it as asked for? */
  private Standing standing(KnownResource resource, Binding.Bound bound) {
    if (resource.busy()) {
      return Standing.moving(resource.state());
    }
    if (resource.replacing()) {
      return deleteFirst(resource);
    }
    if (!bound.pending().isEmpty()) {
      return Standing.waiting(resource.state());
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    String hash = fingerprint.of(bound.value());
    if (hash.equals(resource.appliedHash())) {
      return asAsked(resource);
    }
    return hash.equals(resource.attemptedHash())
        ? Standing.stuck(resource.state(), Reason.of(resource))
        : update(resource, bound, Actor.INTAKE, "changed params");
  }

  /** An update that nobody has begun gives way to a newer one. */
  private Standing updating(KnownResource resource, Binding.Bound bound) {
    UUID replaceable = resource.work() == Work.UNSTARTED ? resource.run() : null;
    boolean unstarted = replaceable != null;
    if (resource.work() == Work.STARTED || unstarted && !bound.complete()) {
      return Standing.moving(UPDATING);
    }
    if (!bound.pending().isEmpty()) {
      return Standing.waiting(UPDATING);
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    if (unstarted && fingerprint.of(bound.value()).equals(resource.attemptedHash())) {
      return Standing.moving(UPDATING);
    }
    return switch (start(resource, Operation.UPDATE, bound)) {
      case Startable.Yes(Move.Start start) -> {
        Standing moving = Standing.moving(UPDATING).with(start);
        yield replaceable == null ? moving : moving.with(new Move.Drop(resource.id(), replaceable));
      }
      case Startable.No(Reason reason) ->
          unstarted ? Standing.moving(UPDATING) : complain(resource, reason);
    };
  }

  private static Standing asAsked(KnownResource resource) {
    if (!resource.ready()) {
      return Standing.stuck(resource.state(), Reason.of(resource));
    }
    Standing done = Standing.done(resource.state());
    boolean leftovers = resource.dependencies().stream().anyMatch(d -> !d.wanted());
    done = leftovers ? done.with(new Move.Forget(resource.id())) : done;
    return resource.reason() == null ? done : done.with(new Move.Complain(resource.id(), null));
  }

  private Standing update(KnownResource resource, Binding.Bound bound, Actor actor, String why) {
    return switch (start(resource, Operation.UPDATE, bound)) {
      case Startable.Yes(Move.Start start) ->
          Standing.moving(UPDATING)
              .with(
                  new Move.Transit(resource.id(), resource.state(), UPDATING, actor, why, null),
                  start);
      case Startable.No(Reason reason) -> complain(resource, reason);
    };
  }

  private Standing failed(KnownResource resource, Binding.Bound bound) {
    if (resource.busy()) {
      // Its last run is being undone once more: nothing begins beside that.
      return Standing.stuck(FAILED, Reason.of(resource));
    }
    if (resource.deleteFailed()) {
      return retryAsked(resource)
          ? deleteFirst(resource)
          : Standing.stuck(FAILED, Reason.of(resource));
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
      return Standing.stuck(FAILED, Reason.of(resource));
    }
    if (!bound.pending().isEmpty()) {
      return Standing.waiting(FAILED);
    }
    if (!bound.missing().isEmpty()) {
      return complain(resource, Reason.missing(bound));
    }
    return resource.everActive()
        ? update(resource, bound, Actor.USER, "retry")
        : again(resource, bound);
  }

  private Standing again(KnownResource resource, Binding.Bound bound) {
    return switch (start(resource, Operation.CREATE, bound)) {
      case Startable.Yes(Move.Start start) ->
          Standing.moving(PROVISIONING)
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

  /** Whoever asks for another attempt clears what is known of the last one. */
  static boolean retryAsked(KnownResource resource) {
    return resource.reason() == null && resource.attemptedHash() == null;
  }

  /** It has to go before it can come again. */
  private Standing deleteFirst(KnownResource resource) {
    return Downwards.delete(
        offers, parameters, resource, Actor.INTAKE, "deleted to be created anew");
  }

  private static Standing complain(KnownResource resource, Reason reason) {
    Standing stuck = Standing.stuck(resource.state(), reason);
    boolean known = resource.reason() != null && reason.tree().equals(resource.reason());
    return known ? stuck : stuck.with(new Move.Complain(resource.id(), reason));
  }
}
