package dev.slipway.applications.lifecycle;

import static dev.slipway.applications.lifecycle.ResourceState.ACTIVE;
import static dev.slipway.applications.lifecycle.ResourceState.DEGRADED;
import static dev.slipway.applications.lifecycle.ResourceState.DELETED;
import static dev.slipway.applications.lifecycle.ResourceState.DEPROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.FAILED;
import static dev.slipway.applications.lifecycle.ResourceState.PROVISIONING;
import static dev.slipway.applications.lifecycle.ResourceState.UPDATING;

import dev.slipway.engine.execute.RunWrite.Report.Effect;
import java.util.Optional;

/** Where the report of a run takes a resource. */
public final class ReportedState {
  private ReportedState() {}

  /** The state after it; empty when the run may not move a resource of that state. */
  public static Optional<ResourceState> after(ResourceState state, Effect effect) {
    return effect.observes() ? observed(state, effect) : worked(state, effect);
  }

  private static Optional<ResourceState> observed(ResourceState state, Effect effect) {
    if (effect == Effect.NOT_SEEN) {
      return Optional.empty();
    }
    return switch (state) {
      case ACTIVE -> effect == Effect.AS_LEFT ? Optional.empty() : Optional.of(DEGRADED);
      case DEGRADED -> Optional.of(effect == Effect.AS_LEFT ? ACTIVE : DEGRADED);
      case REQUESTED, PROVISIONING, UPDATING, DEPROVISIONING, FAILED, DELETED -> Optional.empty();
    };
  }

  private static Optional<ResourceState> worked(ResourceState state, Effect effect) {
    return switch (state) {
      case REQUESTED ->
          effect == Effect.STARTED
              ? Optional.of(PROVISIONING)
              : effect == Effect.SUCCEEDED ? Optional.empty() : Optional.of(FAILED);
      case PROVISIONING, UPDATING, DEPROVISIONING -> ended(state, effect);
      case ACTIVE, DEGRADED, FAILED, DELETED -> Optional.empty();
    };
  }

  private static Optional<ResourceState> ended(ResourceState state, Effect effect) {
    return switch (effect) {
      case STARTED, DRIFTED, MISSING, NOT_OURS, NOT_SEEN, AS_LEFT -> Optional.empty();
      case SUCCEEDED -> Optional.of(state == DEPROVISIONING ? DELETED : ACTIVE);
      case FAILED -> Optional.of(FAILED);
      case ROLLED_BACK -> Optional.of(state == UPDATING ? DEGRADED : FAILED);
    };
  }
}
