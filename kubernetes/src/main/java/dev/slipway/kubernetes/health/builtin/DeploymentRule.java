package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether the rollout of a Deployment has finished. */
final class DeploymentRule {
  private DeploymentRule() {}

  static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.flag("spec", "paused")) {
      return ObjectHealth.suspended("the Deployment is paused");
    }
    if (object.isBehind()) {
      return Rollout.notObserved();
    }
    Optional<Condition> progressing = object.condition("Progressing");
    if (progressing.filter(c -> c.reason().equals("ProgressDeadlineExceeded")).isPresent()) {
      return ObjectHealth.degraded("no progress within the deadline of the Deployment");
    }
    return rollout(object);
  }

  private static ObjectHealth rollout(LiveObject object) {
    OptionalLong wanted = object.whole("spec", "replicas");
    long updated = object.count("status", "updatedReplicas");
    long all = object.count("status", "replicas");
    long available = object.count("status", "availableReplicas");
    if (wanted.isPresent() && updated < wanted.getAsLong()) {
      return Rollout.waits(updated, wanted.getAsLong(), "replicas are updated");
    }
    if (all > updated) {
      return ObjectHealth.progressing((all - updated) + " old replicas are still there");
    }
    if (available < updated) {
      return Rollout.waits(available, updated, "updated replicas are available");
    }
    return ObjectHealth.healthy("");
  }
}
