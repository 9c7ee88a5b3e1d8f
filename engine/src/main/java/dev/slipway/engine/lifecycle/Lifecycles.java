package dev.slipway.engine.lifecycle;

import static dev.slipway.engine.lifecycle.Actor.ENGINE;
import static dev.slipway.engine.lifecycle.Actor.INTAKE;
import static dev.slipway.engine.lifecycle.Actor.OBSERVER;
import static dev.slipway.engine.lifecycle.Actor.REGISTRY;
import static dev.slipway.engine.lifecycle.Actor.TTL;
import static dev.slipway.engine.lifecycle.Actor.USER;
import static dev.slipway.engine.lifecycle.ResourceState.ACTIVE;
import static dev.slipway.engine.lifecycle.ResourceState.DEGRADED;
import static dev.slipway.engine.lifecycle.ResourceState.DELETED;
import static dev.slipway.engine.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.engine.lifecycle.ResourceState.FAILED;
import static dev.slipway.engine.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.engine.lifecycle.ResourceState.REQUESTED;
import static dev.slipway.engine.lifecycle.ResourceState.UPDATING;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The three tables. */
public final class Lifecycles {
  private Lifecycles() {}

  /** Resources. */
  public static final Transitions<ResourceState> RESOURCE =
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

  /** Runs. */
  public static final Transitions<RunState> RUN =
      Transitions.<RunState>table()
          .row(RunState.PENDING, RunState.RUNNING, ENGINE, "claimed")
          .row(
              Set.of(RunState.PENDING), RunState.CANCELLED, Set.of(USER, ENGINE), "cancelled first")
          .row(RunState.RUNNING, RunState.WAITING, ENGINE, "every open step waits")
          .row(RunState.WAITING, RunState.RUNNING, ENGINE, "timer due, approval decided")
          .row(running(), RunState.SUCCEEDED, Set.of(ENGINE), "all steps done")
          .row(running(), RunState.FAILED, Set.of(ENGINE), "a step failed, or time is up")
          .row(running(), RunState.PARTIAL, Set.of(ENGINE), "independent branches succeeded")
          .row(running(), RunState.CANCELLED, Set.of(ENGINE), "cancel asked for and done")
          .build();

  /** Steps. */
  public static final Transitions<StepState> STEP =
      Transitions.<StepState>table()
          .row(StepState.PENDING, StepState.RUNNING, ENGINE, "started; intent is stored")
          .row(StepState.PENDING, StepState.WAITING, ENGINE, "approval or timer before it")
          .row(StepState.PENDING, StepState.SKIPPED, ENGINE, "its condition is false")
          .row(StepState.PENDING, StepState.FAILED, ENGINE, "its inputs cannot be rendered")
          .row(StepState.PENDING, StepState.CANCELLED, ENGINE, "run ended before it started")
          .row(StepState.RUNNING, StepState.RUNNING, ENGINE, "recovered after a crash, same key")
          .row(StepState.RUNNING, StepState.WAITING, ENGINE, "approval, external job or timer")
          .row(StepState.RUNNING, StepState.PENDING, ENGINE, "attempt failed, retry is due later")
          .row(StepState.RUNNING, StepState.SUCCEEDED, ENGINE, "done")
          .row(StepState.RUNNING, StepState.FAILED, ENGINE, "last attempt failed")
          .row(StepState.RUNNING, StepState.CANCELLED, ENGINE, "stopped")
          .row(StepState.WAITING, StepState.RUNNING, ENGINE, "what it waited for is there")
          .row(StepState.WAITING, StepState.SUCCEEDED, ENGINE, "what it waited for was all")
          .row(StepState.WAITING, StepState.PENDING, ENGINE, "took too long, retry is due later")
          .row(StepState.WAITING, StepState.FAILED, ENGINE, "rejected or expired")
          .row(StepState.WAITING, StepState.CANCELLED, ENGINE, "stopped")
          .row(StepState.SUCCEEDED, StepState.ROLLED_BACK, ENGINE, "compensated")
          .build();

  /** The state of what owns resources: the first that any of them is in; active when none is. */
  public static ResourceState ofOwner(List<ResourceState> resources) {
    for (ResourceState state :
        List.of(DEPROVISIONING, UPDATING, PROVISIONING, FAILED, DEGRADED, REQUESTED)) {
      if (resources.contains(state)) {
        return state;
      }
    }
    return ACTIVE;
  }

  private static Set<RunState> running() {
    return EnumSet.of(RunState.RUNNING, RunState.WAITING);
  }
}
