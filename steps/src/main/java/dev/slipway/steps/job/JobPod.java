package dev.slipway.steps.job;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ClusterObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A pod of a Job as the API server shows it. */
record JobPod(ClusterObject object) {
  String name() {
    return String.valueOf(object.metadata().get("name"));
  }

  private Map<String, Object> status() {
    return Values.map(object.content().get("status"));
  }

  /** Whether its container will never run again. */
  boolean ended() {
    return Set.of("Succeeded", "Failed").contains(Objects.toString(status().get("phase"), ""));
  }

  /** Whether its container has a log. */
  boolean started() {
    return state().containsKey("running") || state().containsKey("terminated");
  }

  private Map<String, Object> state() {
    return status().get("containerStatuses") instanceof List<?> list && !list.isEmpty()
        ? Values.map(Values.map(list.getFirst()).get("state"))
        : Map.of();
  }

  /** What it waits for before it starts; empty when there is nothing to say. */
  Optional<String> waiting() {
    Map<String, Object> waiting = Values.map(state().get("waiting"));
    if (!waiting.isEmpty() && !"ContainerCreating".equals(waiting.get("reason"))) {
      return Optional.of(words(waiting));
    }
    return unscheduled();
  }

  private Optional<String> unscheduled() {
    if (status().get("conditions") instanceof List<?> conditions) {
      return conditions.stream()
          .map(Values::map)
          .filter(c -> "PodScheduled".equals(c.get("type")) && "False".equals(c.get("status")))
          .map(JobPod::words)
          .findFirst();
    }
    return Optional.empty();
  }

  /** Why it ended without the program's own exit code. */
  String reason() {
    Map<String, Object> terminated = Values.map(state().get("terminated"));
    if (status().get("reason") != null) {
      return words(status());
    }
    return terminated.isEmpty()
        ? "no state of its container is known"
        : words(terminated) + ", exit code " + terminated.get("exitCode");
  }

  private static String words(Map<String, Object> state) {
    String reason = Objects.toString(state.get("reason"), "");
    String message = Objects.toString(state.get("message"), "");
    return message.isEmpty() ? reason : reason + ": " + message;
  }
}
