package dev.slipway.steps.kubernetes;

import dev.slipway.engine.health.Health;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.JsonPath;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a step waits for. */
sealed interface Awaited {
  /** Of definitions of kinds: their objects can be made. */
  Awaited ESTABLISHED = new Condition("Established", "True");

  /** A condition in the status of the object's current generation. */
  record Condition(String type, String status) implements Awaited {}

  /** A value at a path; without one, that anything is there. */
  record Value(JsonPath path, Optional<String> value) implements Awaited {}

  /** That the object is gone. */
  record Gone() implements Awaited {}

  /** That the rules of health find it Healthy; a kind without a rule only has to exist. */
  record Healthy() implements Awaited {}

  /** Reads the field {@code for}. */
  static Awaited parse(String text) throws RefusedException {
    switch (text) {
      case "delete" -> {
        return new Gone();
      }
      case "health" -> {
        return new Healthy();
      }
      default -> {}
    }
    String[] parts = text.split("=", 3);
    try {
      return switch (parts[0]) {
        case "condition" -> new Condition(parts[1], parts.length > 2 ? parts[2] : "True");
        case "jsonpath" ->
            new Value(
                JsonPath.parse(parts[1]),
                parts.length > 2 ? Optional.of(parts[2].replaceFirst("^=", "")) : Optional.empty());
        default -> throw unreadable(text);
      };
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw unreadable(text);
    }
  }

  private static RefusedException unreadable(String text) {
    return RefusedException.last(
        "invalid-config",
        "'" + text + "' is nothing to wait for",
        "Write health, condition=Ready, jsonpath=$.status.phase=Bound, or delete.");
  }

  /** Whether it has happened; else what the object shows instead. */
  default Optional<String> missing(Optional<ClusterObject> object, HealthRules rules) {
    if (this instanceof Gone) {
      return object.map(live -> "it is still there");
    }
    if (object.isEmpty()) {
      return Optional.of("it does not exist");
    }
    if (behind(object.get())) {
      return Optional.of("its controller has not seen this generation yet");
    }
    return switch (this) {
      case Gone() -> Optional.empty();
      case Healthy() -> health(object.get(), rules);
      case Condition(String type, String status) -> condition(object.get(), type, status);
      case Value(JsonPath path, Optional<String> value) ->
          value(path.in(object.get().content()).map(JsonPath.Found::value).orElse(null), value);
    };
  }

  private static Optional<String> health(ClusterObject object, HealthRules rules) {
    return rules
        .judge(new LiveObject(object.content()), Neighbours.NONE)
        .health()
        .filter(health -> health.status() != Health.HEALTHY)
        .map(
            health ->
                "it is "
                    + health.status().text()
                    + (health.message().isEmpty() ? "" : ": " + health.message()));
  }

  private static boolean behind(ClusterObject object) {
    Object observed = Values.map(object.content().get("status")).get("observedGeneration");
    return observed instanceof Number number && number.longValue() < object.generation();
  }

  private static Optional<String> condition(ClusterObject object, String type, String status) {
    if (Values.map(object.content().get("status")).get("conditions") instanceof List<?> list) {
      for (Object each : list) {
        Map<String, Object> condition = Values.map(each);
        if (type.equalsIgnoreCase(String.valueOf(condition.get("type")))) {
          return judged(condition, status, object.generation());
        }
      }
    }
    return Optional.of("it has no condition " + type);
  }

  private static Optional<String> judged(
      Map<String, Object> condition, String status, long generation) {
    boolean stale =
        condition.get("observedGeneration") instanceof Number seen && seen.longValue() < generation;
    String found = String.valueOf(condition.get("status"));
    if (!stale && status.equalsIgnoreCase(found)) {
      return Optional.empty();
    }
    String reason = Objects.toString(condition.get("reason"), "");
    return Optional.of(
        condition.get("type")
            + "="
            + found
            + (stale ? ", of an older generation" : "")
            + (reason.isEmpty() ? "" : ": " + reason)
            + (condition.get("message") == null ? "" : ", " + condition.get("message")));
  }

  private static Optional<String> value(@Nullable Object found, Optional<String> wanted) {
    if (wanted.isEmpty()) {
      return found == null ? Optional.of("nothing is there") : Optional.empty();
    }
    String text = found instanceof String string ? string : Json.write(found);
    return text.equals(wanted.get())
        ? Optional.empty()
        : Optional.of("it is " + (text.length() > 100 ? text.substring(0, 100) + "…" : text));
  }
}
