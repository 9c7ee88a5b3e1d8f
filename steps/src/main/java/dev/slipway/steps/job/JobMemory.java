package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is stored of a Job before it begins: where it is, whatever the configuration says later, and
 * that it is this one.
 */
record JobMemory(String uid, String cluster, String namespace) {
  private static final String UID = "job";
  private static final String CLUSTER = "cluster";
  private static final String NAMESPACE = "namespace";

  /** The Job that was created for a step; nothing has begun before there is one. */
  static Optional<JobMemory> of(StepCall call) {
    Map<String, Object> memory = call.memory();
    return memory.containsKey(UID)
        ? Optional.of(
            new JobMemory(text(memory, UID), text(memory, CLUSTER), text(memory, NAMESPACE)))
        : Optional.empty();
  }

  private static String text(Map<String, Object> memory, String key) {
    return Objects.toString(memory.get(key), "");
  }

  Map<String, Object> stored() {
    return Map.of(UID, uid, CLUSTER, cluster, NAMESPACE, namespace);
  }
}
