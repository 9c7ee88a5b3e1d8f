package dev.slipway.applications.lifecycle;

import static dev.slipway.applications.lifecycle.ResourceState.ACTIVE;
import static dev.slipway.applications.lifecycle.ResourceState.DEGRADED;
import static dev.slipway.applications.lifecycle.ResourceState.DELETED;
import static dev.slipway.applications.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.FAILED;
import static dev.slipway.applications.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.REQUESTED;
import static dev.slipway.applications.lifecycle.ResourceState.UPDATING;
import static dev.slipway.engine.lifecycle.Actor.ENGINE;
import static dev.slipway.engine.lifecycle.Actor.INTAKE;
import static dev.slipway.engine.lifecycle.Actor.OBSERVER;
import static dev.slipway.engine.lifecycle.Actor.REGISTRY;
import static dev.slipway.engine.lifecycle.Actor.TTL;
import static dev.slipway.engine.lifecycle.Actor.USER;

import dev.slipway.engine.lifecycle.Transitions;
import java.util.List;
import java.util.Set;

/** What may become of resources, and the state of an application that follows from them. */
public final class ResourceLifecycle {
  private ResourceLifecycle() {}

  /** Every transition that a resource may make. */
  public static final Transitions<ResourceState> TABLE =
      Transitions.<ResourceState>table()
          .row(REQUESTED, PROVISIONING, ENGINE, "dependencies ready, create run claimed")
          .row(REQUESTED, FAILED, ENGINE, "resolution or input error")
          .row(Set.of(REQUESTED), DELETED, Set.of(USER, INTAKE), "removed before any step ran")
          .row(PROVISIONING, ACTIVE, ENGINE, "run succeeded")
          .row(PROVISIONING, FAILED, ENGINE, "run failed, timed out or was cancelled")
          .row(
              Set.of(PROVISIONING, UPDATING),
              DEPROVISIONING,
              Set.of(USER, INTAKE),
              "deletion; the run is cancelled and terminal first")
          .row(
              Set.of(ACTIVE, DEGRADED),
              UPDATING,
              Set.of(INTAKE, USER, OBSERVER),
              "changed params, requested provider upgrade, drift correction")
          .row(ACTIVE, DEGRADED, OBSERVER, "Degraded, or drift, past grace")
          .row(DEGRADED, ACTIVE, OBSERVER, "Healthy again, no drift")
          .row(Set.of(ACTIVE, DEGRADED), FAILED, Set.of(OBSERVER), "Failed, or Missing past grace")
          .row(UPDATING, ACTIVE, ENGINE, "run succeeded")
          .row(UPDATING, DEGRADED, ENGINE, "run failed, rollback complete: old configuration lives")
          .row(UPDATING, FAILED, ENGINE, "run failed otherwise; last good outputs kept")
          .row(
              Set.of(ACTIVE, DEGRADED, FAILED),
              DEPROVISIONING,
              Set.of(USER, INTAKE, TTL),
              "delete or removal")
          .row(FAILED, PROVISIONING, USER, "retry; never active, or Missing")
          .row(Set.of(FAILED), UPDATING, Set.of(USER, INTAKE), "retry or new spec; once active")
          .row(
              Set.of(FAILED),
              REQUESTED,
              Set.of(INTAKE, REGISTRY),
              "new spec, never active; type becomes resolvable")
          .row(Set.of(FAILED), DELETED, Set.of(USER, INTAKE), "no step ever started")
          .row(DEPROVISIONING, DELETED, ENGINE, "delete run succeeded, or policy orphan")
          .row(DEPROVISIONING, FAILED, ENGINE, "delete run failed; retry returns to deprovisioning")
          .row(DELETED, REQUESTED, INTAKE, "same identity again; incarnation + 1")
          .build();

  /**
   * The state of an application: the first that any of its resources is in; active when none is.
   */
  public static ResourceState ofApplication(List<ResourceState> resources) {
    for (ResourceState state :
        List.of(DEPROVISIONING, UPDATING, PROVISIONING, FAILED, DEGRADED, REQUESTED)) {
      if (resources.contains(state)) {
        return state;
      }
    }
    return ACTIVE;
  }
}
