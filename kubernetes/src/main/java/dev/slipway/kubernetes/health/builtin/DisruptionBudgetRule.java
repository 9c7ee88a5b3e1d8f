package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.List;
import java.util.Optional;

/** Whether a PodDisruptionBudget works; that it allows no disruption at the moment is no fault. */
final class DisruptionBudgetRule {
  private DisruptionBudgetRule() {}

  static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    List<Condition> conditions = object.conditions();
    if (conditions.isEmpty()) {
      return Optional.of(ObjectHealth.progressing("it has no status yet"));
    }
    Optional<Condition> fault =
        conditions.stream()
            .filter(c -> c.isFalse() && !c.reason().equals("InsufficientPods"))
            .findFirst();
    return Optional.of(
        fault
            .map(c -> ObjectHealth.degraded(c.text()))
            .orElseGet(() -> ObjectHealth.healthy(conditions.getLast().text())));
  }
}
