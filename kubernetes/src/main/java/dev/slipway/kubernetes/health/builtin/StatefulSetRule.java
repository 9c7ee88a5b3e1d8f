package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether the rollout of a StatefulSet has finished, as its update strategy has it. */
final class StatefulSetRule {
  private StatefulSetRule() {}

  static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.count("status", "observedGeneration") == 0 || object.isBehind()) {
      return Rollout.notObserved();
    }
    OptionalLong wanted = object.whole("spec", "replicas");
    long ready = object.count("status", "readyReplicas");
    if (wanted.isPresent() && ready < wanted.getAsLong()) {
      return Rollout.waits(ready, wanted.getAsLong(), "pods are ready");
    }
    String strategy = object.text("spec", "updateStrategy", "type");
    if (strategy.equals("RollingUpdate") && object.has("spec", "updateStrategy", "rollingUpdate")) {
      return partitioned(object, wanted);
    }
    if (strategy.equals("OnDelete")) {
      return ObjectHealth.healthy(ready + " pods are ready");
    }
    String update = object.text("status", "updateRevision");
    return update.equals(object.text("status", "currentRevision"))
        ? ObjectHealth.healthy("all pods are at revision " + update)
        : ObjectHealth.progressing("pods are being moved to revision " + update);
  }

  private static ObjectHealth partitioned(LiveObject object, OptionalLong wanted) {
    OptionalLong partition = object.whole("spec", "updateStrategy", "rollingUpdate", "partition");
    long updated = object.count("status", "updatedReplicas");
    if (wanted.isPresent() && partition.isPresent()) {
      long due = wanted.getAsLong() - partition.getAsLong();
      if (updated < due) {
        return Rollout.waits(updated, due, "pods above the partition are updated");
      }
    }
    return ObjectHealth.healthy(updated + " pods are updated");
  }
}
