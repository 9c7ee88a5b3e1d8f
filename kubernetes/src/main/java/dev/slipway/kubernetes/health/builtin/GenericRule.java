package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** For kinds without a rule of their own: the conditions that most controllers write. */
public final class GenericRule {
  private GenericRule() {}

  /** Empty for an object that has none of these conditions. */
  public static Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    if (!(object.fields().get("status") instanceof java.util.Map)) {
      return Optional.empty();
    }
    if (object.has("status", "observedGeneration") && object.isBehind()) {
      return Optional.of(Rollout.notObserved());
    }
    return inForce(object, "Stalled")
        .map(c -> ObjectHealth.degraded(c.text()))
        .or(() -> inForce(object, "Reconciling").map(c -> ObjectHealth.progressing(c.text())))
        .or(
            () ->
                object
                    .condition("Ready")
                    .or(() -> object.condition("Available"))
                    .map(GenericRule::ready));
  }

  private static Optional<Condition> inForce(LiveObject object, String type) {
    return object.condition(type).filter(Condition::isTrue);
  }

  private static ObjectHealth ready(Condition condition) {
    return condition.isTrue()
        ? ObjectHealth.healthy(condition.text())
        : ObjectHealth.progressing(condition.text());
  }
}
