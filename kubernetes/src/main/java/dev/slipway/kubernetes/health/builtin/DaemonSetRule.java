package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Whether every node that should run a pod of a DaemonSet runs the latest one. */
final class DaemonSetRule {
  private DaemonSetRule() {}

  static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.isBehind()) {
      return Rollout.notObserved();
    }
    long wanted = object.count("status", "desiredNumberScheduled");
    long updated = object.count("status", "updatedNumberScheduled");
    long available = object.count("status", "numberAvailable");
    if (object.text("spec", "updateStrategy", "type").equals("OnDelete")) {
      return ObjectHealth.healthy(updated + " of " + wanted + " pods are updated");
    }
    if (updated < wanted) {
      return Rollout.waits(updated, wanted, "pods are updated");
    }
    if (available < wanted) {
      return Rollout.waits(available, wanted, "updated pods are available");
    }
    return ObjectHealth.healthy("");
  }
}
