package dev.slipway.applications.plan;

import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Containers and service as a tree to bind: placeholders count in variables, in the content of
 * files and in the source of volumes; everywhere else a dollar is a dollar.
 */
final class Workload {
  private Workload() {}

  static Map<String, @Nullable Object> template(Map<String, @Nullable Object> spec) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    Map<String, @Nullable Object> containers = new LinkedHashMap<>();
    if (spec.get("containers") instanceof Map<?, ?> written) {
      written.forEach((name, container) -> containers.put((String) name, container(container)));
    }
    out.put("containers", containers);
    out.put("service", literal(spec.getOrDefault("service", Map.of())));
    return out;
  }

  private static @Nullable Object container(@Nullable Object container) {
    if (!(container instanceof Map<?, ?> map)) {
      return literal(container);
    }
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    map.forEach(
        (key, value) ->
            out.put(
                (String) key,
                switch ((String) key) {
                  case "variables" -> value;
                  case "files" -> entries(value, "content");
                  case "volumes" -> entries(value, "source");
                  default -> literal(value);
                }));
    return out;
  }

  /** Each entry with all but one field literal. */
  private static @Nullable Object entries(@Nullable Object entries, String open) {
    if (!(entries instanceof Map<?, ?> map)) {
      return literal(entries);
    }
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    map.forEach((path, entry) -> out.put((String) path, entry(entry, open)));
    return out;
  }

  private static @Nullable Object entry(@Nullable Object entry, String open) {
    if (!(entry instanceof Map<?, ?> map)) {
      return literal(entry);
    }
    boolean verbatim = Boolean.TRUE.equals(map.get("noExpand"));
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    map.forEach(
        (key, value) ->
            out.put((String) key, key.equals(open) && !verbatim ? value : literal(value)));
    return out;
  }

  private static @Nullable Object literal(@Nullable Object value) {
    return Values.mapLeaves(
        value, leaf -> leaf instanceof String text ? OwnValues.escape(text) : leaf);
  }
}
