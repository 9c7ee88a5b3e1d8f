package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.GroupKind;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/**
 * Whether a cluster of Zalando's operator runs. The operator says Running before all instances are
 * ready, so that the StatefulSet of the same name is asked too.
 */
final class PostgresqlRule {
  private static final GroupKind STATEFUL_SET = new GroupKind("apps", "StatefulSet");

  private PostgresqlRule() {}

  static Optional<ObjectHealth> judge(LiveObject cluster, Neighbours others) {
    String status = cluster.text("status", "PostgresClusterStatus");
    return Optional.of(
        switch (status) {
          case "" -> ObjectHealth.progressing("it has no status yet");
          case "Creating", "Updating" -> ObjectHealth.progressing(status);
          case "Running" -> running(cluster, others);
          default -> ObjectHealth.degraded(status);
        });
  }

  private static ObjectHealth running(LiveObject cluster, Neighbours others) {
    Optional<LiveObject> set = others.find(STATEFUL_SET, cluster.namespace(), cluster.name());
    if (set.isEmpty()) {
      return ObjectHealth.progressing("Running, but its StatefulSet was not found");
    }
    long wanted = cluster.count("spec", "numberOfInstances");
    long ready = set.get().count("status", "readyReplicas");
    return ready == wanted
        ? ObjectHealth.healthy(ready + " instances are ready")
        : Rollout.waits(ready, wanted, "instances are ready");
  }
}
