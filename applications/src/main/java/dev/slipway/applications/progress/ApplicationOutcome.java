package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.progress.Situation.Deployment.Status;
import dev.slipway.applications.progress.Situation.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows for an application and its deployment from where its resources stand.
 *
 * @param concerned its resources that are there
 */
record ApplicationOutcome(Situation situation, List<ResourceVerdict> concerned) {

  /** What is left of a deployment once nothing moves any more. */
  enum Remaining {
    NOTHING,
    /** Something that goes on when something else changes. */
    WORK,
    /** Something that does not go on by itself. */
    PROBLEMS
  }

  /** Whether all resources are as they should be. */
  boolean settled() {
    return concerned.stream().allMatch(ResourceVerdict::done);
  }

  ResourceState state() {
    if (situation.phase() == Phase.TEARDOWN) {
      if (concerned.isEmpty()) {
        return ResourceState.DELETED;
      }
      boolean failed = concerned.stream().anyMatch(s -> s.state() == ResourceState.FAILED);
      boolean moving = concerned.stream().anyMatch(s -> s.kind() == ResourceVerdict.Kind.MOVING);
      return failed && !moving ? ResourceState.FAILED : ResourceState.DEPROVISIONING;
    }
    return ResourceLifecycle.ofApplication(concerned.stream().map(ResourceVerdict::state).toList());
  }

  /** Null if no deployment is in force. One that has completed stays so. */
  @Nullable Status deployment(Remaining remaining) {
    if (situation.deployment() == null) {
      return null;
    }
    if (situation.deployment().status() == Status.COMPLETED) {
      return Status.COMPLETED;
    }
    if (concerned.stream().anyMatch(ResourceVerdict::goesOn)) {
      return Status.RUNNING;
    }
    return switch (remaining) {
      case NOTHING -> Status.COMPLETED;
      case WORK -> Status.RUNNING;
      case PROBLEMS -> Status.FAILED;
    };
  }
}
