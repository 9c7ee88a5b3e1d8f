package dev.slipway.kubernetes.health.custom;

import dev.slipway.kubernetes.cel.CelCondition;
import dev.slipway.kubernetes.cel.CelFailure;
import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/**
 * Conditions on an object. The first that holds decides: in progress, failed, current. A field that
 * is not there yet is Progressing.
 */
public record CelRule(
    CelCondition current, Optional<CelCondition> inProgress, Optional<CelCondition> failed)
    implements HealthRule {
  @Override
  public Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private ObjectHealth health(LiveObject object) {
    if (object.has("status", "observedGeneration")
        && object.count("status", "observedGeneration") != object.count("metadata", "generation")) {
      return ObjectHealth.progressing("observedGeneration differs from generation");
    }
    try {
      if (holds(inProgress, object)) {
        return ObjectHealth.progressing("inProgress holds");
      }
      if (holds(failed, object)) {
        return ObjectHealth.degraded("failed holds");
      }
      return current.holds(object.fields())
          ? ObjectHealth.healthy("")
          : ObjectHealth.progressing("current does not hold");
    } catch (CelFailure e) {
      return e.isMissingField()
          ? ObjectHealth.progressing(e.text())
          : ObjectHealth.unknown(e.text());
    }
  }

  private static boolean holds(Optional<CelCondition> condition, LiveObject object)
      throws CelFailure {
    return condition.isPresent() && condition.get().holds(object.fields());
  }
}
