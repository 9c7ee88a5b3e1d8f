package dev.slipway.applications.progress;

import static dev.slipway.applications.lifecycle.ResourceState.DELETED;
import static dev.slipway.applications.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.FAILED;
import static dev.slipway.applications.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.UPDATING;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.plan.Offers;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What next for a resource that is not wanted any more. */
final class Deprovisioning {

  private final Offers offers;
  private final RunParameters parameters;
  private final Situation situation;

  Deprovisioning(Offers offers, SecretBox box, Situation situation) {
    this.offers = offers;
    this.parameters = new RunParameters(situation, box);
    this.situation = situation;
  }

  ResourceVerdict next(KnownResource resource, Set<String> dependents) {
    if (resource.state() == DELETED) {
      return ResourceVerdict.done(DELETED);
    }
    if (resource.state() == DEPROVISIONING && resource.busy()) {
      return ResourceVerdict.moving(DEPROVISIONING);
    }
    if (resource.work() == Work.STARTED && resource.run() != null) {
      return ResourceVerdict.moving(resource.state())
          .with(new Move.Cancel(resource.id(), resource.run()));
    }
    if (!dependents.isEmpty()) {
      return ResourceVerdict.waiting(resource.state());
    }
    ResourceVerdict next = settled(resource);
    return resource.work() == Work.UNSTARTED && resource.run() != null
        ? next.with(new Move.Drop(resource.id(), resource.run()))
        : next;
  }

  private ResourceVerdict settled(KnownResource resource) {
    return switch (resource.state()) {
      case REQUESTED -> gone(resource, "removed before any step ran");
      case FAILED -> {
        if (!resource.everStarted()) {
          yield gone(resource, "no step ever started");
        }
        yield resource.deleteFailed() && !Provisioning.retryAsked(resource)
            ? ResourceVerdict.stuck(FAILED, Reason.of(resource))
            : remove(resource);
      }
      // A run that was under way has ended or never began: that is why this is asked.
      case ACTIVE, DEGRADED, DEPROVISIONING, PROVISIONING, UPDATING -> remove(resource);
      case DELETED -> ResourceVerdict.done(DELETED);
    };
  }

  private ResourceVerdict remove(KnownResource resource) {
    boolean open = resource.state() == PROVISIONING || resource.state() == UPDATING;
    Actor actor = open && actor() == Actor.TTL ? Actor.INTAKE : actor();
    if (resource.deletionPolicy() != DeletionPolicy.ORPHAN) {
      return delete(offers, parameters, resource, actor, "removed");
    }
    ResourceVerdict gone =
        ResourceVerdict.done(DELETED)
            .with(
                new Move.Transit(
                    resource.id(), DEPROVISIONING, DELETED, Actor.ENGINE, "policy orphan", null));
    return resource.state() == DEPROVISIONING
        ? gone
        : gone.with(
            new Move.Transit(
                resource.id(), resource.state(), DEPROVISIONING, actor, "removed", null));
  }

  private ResourceVerdict gone(KnownResource resource, String why) {
    Actor actor = actor() == Actor.TTL ? Actor.INTAKE : actor();
    return ResourceVerdict.done(DELETED)
        .with(new Move.Transit(resource.id(), resource.state(), DELETED, actor, why, null));
  }

  private Actor actor() {
    if (situation.phase() == Situation.Phase.LIVE || situation.deployment() == null) {
      return Actor.INTAKE;
    }
    return situation.deployment().createdBy().equals(Caller.TTL.user()) ? Actor.TTL : Actor.USER;
  }

  /** Runs its provider's delete workflow. */
  static ResourceVerdict delete(
      Offers offers, RunParameters parameters, KnownResource resource, Actor actor, String why) {
    Map<String, @Nullable Object> params = lastParams(resource);
    if (!(offers.with(resource, Operation.DELETE) instanceof Resolution.Found(var definition, _))) {
      return refuse(
          resource, Reason.unresolved(offers.with(resource, Operation.DELETE), Operation.DELETE));
    }
    return switch (parameters.bind(resource, Operation.DELETE, definition, params)) {
      case RunParameters.Result.Refused(Reason reason) -> refuse(resource, reason);
      case RunParameters.Result.Bound(var values) -> {
        ResourceVerdict moving =
            ResourceVerdict.moving(DEPROVISIONING)
                .with(
                    new Move.Start(
                        resource,
                        Operation.DELETE,
                        definition,
                        params,
                        KnownResource.DELETING,
                        values));
        yield resource.state() == DEPROVISIONING
            ? moving
            : moving.with(
                new Move.Transit(
                    resource.id(), resource.state(), DEPROVISIONING, actor, why, null));
      }
    };
  }

  private static ResourceVerdict refuse(KnownResource resource, Reason reason) {
    ResourceVerdict stuck = ResourceVerdict.stuck(resource.state(), reason);
    return reason.tree().equals(resource.reason())
        ? stuck
        : stuck.with(new Move.Complain(resource.id(), reason));
  }

  /** What the real object was last made with. */
  private static Map<String, @Nullable Object> lastParams(KnownResource resource) {
    if (resource.appliedParams() != null) {
      return resource.appliedParams();
    }
    return resource.attemptedParams() == null ? Map.of() : resource.attemptedParams();
  }
}
