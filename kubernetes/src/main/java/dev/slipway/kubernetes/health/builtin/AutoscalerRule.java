package dev.slipway.kubernetes.health.builtin;

import dev.slipway.engine.value.Json;
import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a HorizontalPodAutoscaler can do its work. */
final class AutoscalerRule {
  private static final String ANNOTATION = "autoscaling.alpha.kubernetes.io/conditions";
  private static final Map<String, Set<String>> FAILURES =
      Map.of(
          "AbleToScale",
          Set.of("FailedGetScale", "FailedUpdateScale"),
          "ScalingActive",
          Set.of(
              "FailedGetResourceMetric",
              "FailedGetObjectMetric",
              "FailedGetPodsMetric",
              "FailedGetExternalMetric",
              "FailedComputeMetricsReplicas",
              "InvalidSelector"));
  private static final Set<String> SUCCESSES = Set.of("AbleToScale", "ScalingLimited");

  private AutoscalerRule() {}

  /** Version v1 has its conditions in an annotation. */
  static Optional<ObjectHealth> first(LiveObject object, Neighbours others) {
    String text = object.annotation(ANNOTATION);
    if (text.isEmpty()) {
      return second(new LiveObject(Map.of()), others);
    }
    try {
      Object conditions = Json.readMap("{\"conditions\":" + text + "}");
      return second(new LiveObject(Map.of("status", conditions)), others);
    } catch (IllegalArgumentException e) {
      return Optional.of(ObjectHealth.unknown("the annotation " + ANNOTATION + " is not JSON"));
    }
  }

  static Optional<ObjectHealth> second(LiveObject object, Neighbours others) {
    List<Condition> conditions = object.conditions();
    for (Condition condition : conditions) {
      if (FAILURES.getOrDefault(condition.type(), Set.of()).contains(condition.reason())) {
        return Optional.of(ObjectHealth.degraded(condition.message()));
      }
    }
    for (Condition condition : conditions) {
      if (SUCCESSES.contains(condition.type()) && condition.isTrue()) {
        return Optional.of(ObjectHealth.healthy(condition.message()));
      }
    }
    return Optional.of(ObjectHealth.progressing("it has not scaled yet"));
  }
}
