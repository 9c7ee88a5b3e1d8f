package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a ReplicaSet has the replicas that it should have. */
final class ReplicaSetRule {
  private ReplicaSetRule() {}

  static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.isBehind()) {
      return Rollout.notObserved();
    }
    Optional<Condition> failure = object.condition("ReplicaFailure").filter(Condition::isTrue);
    if (failure.isPresent()) {
      return ObjectHealth.degraded(failure.get().message());
    }
    OptionalLong wanted = object.whole("spec", "replicas");
    long available = object.count("status", "availableReplicas");
    return wanted.isPresent() && available < wanted.getAsLong()
        ? Rollout.waits(available, wanted.getAsLong(), "replicas are available")
        : ObjectHealth.healthy("");
  }
}
