package dev.slipway.steps.kubernetes;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ObjectPatch;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.Stamp;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads patches, and refuses those that change whose an object is. */
final class WrittenPatch {
  private static final Set<String> METADATA = Set.of("labels", "annotations");
  private static final Set<String> OPERATIONS =
      Set.of("add", "remove", "replace", "move", "copy", "test");

  private WrittenPatch() {}

  static ObjectPatch of(StepConfig config, @Nullable Object patch) throws RefusedException {
    return switch (config.text("strategy").orElse("merge")) {
      case "json" -> operations(patch);
      case "strategic" -> new ObjectPatch.Strategic(map(patch));
      default -> new ObjectPatch.Merge(map(patch));
    };
  }

  private static Map<String, Object> map(@Nullable Object patch) throws RefusedException {
    if (!(patch instanceof Map<?, ?> written)) {
      throw refused("a patch of this strategy is a map");
    }
    Map<String, Object> map = Values.map(written);
    if (map.containsKey("status")) {
      throw refused("the status is the controller's");
    }
    if (map.containsKey("metadata") && !(map.get("metadata") instanceof Map<?, ?>)) {
      throw refused("'metadata' is a map");
    }
    for (Map.Entry<String, Object> field : Values.map(map.get("metadata")).entrySet()) {
      boolean known = METADATA.contains(field.getKey()) && field.getValue() instanceof Map<?, ?>;
      boolean ours =
          known
              && Values.map(field.getValue()).keySet().stream()
                  .anyMatch(key -> key.startsWith(Stamp.PREFIX) || key.startsWith("$"));
      if (!known || ours) {
        throw refused("metadata." + field.getKey() + " cannot be changed by a patch like this");
      }
    }
    if (map.keySet().stream().anyMatch(key -> key.startsWith("$"))) {
      throw refused("a directive cannot stand at the top of a patch");
    }
    return map;
  }

  private static ObjectPatch operations(@Nullable Object patch) throws RefusedException {
    if (!(patch instanceof List<?> list) || list.isEmpty()) {
      throw refused("a patch of strategy json is a list of operations");
    }
    for (Object each : list) {
      Map<String, Object> operation = Values.map(each);
      if (!OPERATIONS.contains(String.valueOf(operation.get("op")))) {
        throw refused("'op' must be one of add, remove, replace, move, copy, test");
      }
      pointer(String.valueOf(operation.get("path")));
      if (operation.get("from") != null) {
        pointer(String.valueOf(operation.get("from")));
      }
    }
    return new ObjectPatch.Operations(List.copyOf(list));
  }

  /** Below metadata single labels and annotations may be changed, and not our own. */
  private static void pointer(String path) throws RefusedException {
    String[] segments = path.split("/", -1);
    if (segments.length < 2 || !segments[0].isEmpty() || segments[1].isEmpty()) {
      throw refused("'" + path + "' is no path to a field");
    }
    boolean metadata = segments[1].equals("metadata");
    boolean single = segments.length == 4 && METADATA.contains(segments[2]);
    if (Set.of("apiVersion", "kind", "status").contains(segments[1])
        || metadata
            && (!single
                || segments[3].replace("~1", "/").replace("~0", "~").startsWith(Stamp.PREFIX))) {
      throw refused("'" + path + "' cannot be changed by a patch");
    }
  }

  private static RefusedException refused(String message) {
    return RefusedException.last("invalid-patch", message, "Correct the step's patch.");
  }
}
