package dev.slipway.kubernetes.health;

import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An object as a cluster or a file has it. Fields are read by path; a field that is missing or null
 * reads as empty, and one of another type ends the rule with a {@link MalformedObjectException}.
 */
public record LiveObject(Map<String, Object> fields) {
  public String apiVersion() {
    return lenient(fields.get("apiVersion"));
  }

  public String kind() {
    return lenient(fields.get("kind"));
  }

  public String name() {
    return fields.get("metadata") instanceof Map<?, ?> metadata
        ? lenient(metadata.get("name"))
        : "";
  }

  public String namespace() {
    return text("metadata", "namespace");
  }

  public String version() {
    String text = apiVersion();
    return text.substring(text.indexOf('/') + 1);
  }

  public GroupKind groupKind() {
    String text = apiVersion();
    return new GroupKind(text.substring(0, Math.max(0, text.indexOf('/'))), kind());
  }

  private static String lenient(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  /** The value at this path, unless it is missing or null. */
  public Optional<Object> at(String... path) {
    Object here = fields;
    for (int depth = 0; depth < path.length && here != null; depth++) {
      if (!(here instanceof Map<?, ?> map)) {
        String parent = String.join(".", List.of(path).subList(0, depth));
        throw new MalformedObjectException(parent, "a map", here);
      }
      here = map.get(path[depth]);
    }
    return Optional.ofNullable(here);
  }

  public boolean has(String... path) {
    return at(path).isPresent();
  }

  public String text(String... path) {
    return at(path)
        .map(value -> value instanceof String text ? text : fail(path, "a string", value))
        .orElse("");
  }

  public boolean flag(String... path) {
    return at(path)
        .map(value -> value instanceof Boolean flag ? flag : fail(path, "a boolean", value))
        .orElse(false);
  }

  public OptionalLong whole(String... path) {
    Optional<Object> value = at(path);
    return value.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            switch (value.get()) {
              case Long number -> number;
              case Integer number -> number;
              case Double number when number == Math.rint(number) -> number.longValue();
              default -> fail(path, "a whole number", value.get());
            });
  }

  /** The number at this path, 0 if there is none. */
  public long count(String... path) {
    return whole(path).orElse(0);
  }

  public Map<String, Object> map(String... path) {
    return at(path)
        .map(value -> value instanceof Map ? Values.map(value) : fail(path, "a map", value))
        .orElse(Map.of());
  }

  public List<?> list(String... path) {
    return at(path)
        .map(value -> value instanceof List<?> list ? list : fail(path, "a list", value))
        .orElse(List.of());
  }

  /** The maps in the list at this path. */
  public List<LiveObject> parts(String... path) {
    return list(path).stream()
        .map(
            part ->
                part instanceof Map
                    ? new LiveObject(Values.map(part))
                    : LiveObject.<LiveObject>fail(path, "a list of maps", part))
        .toList();
  }

  public String annotation(String name) {
    return text("metadata", "annotations", name);
  }

  public List<Condition> conditions() {
    return parts("status", "conditions").stream()
        .map(
            part ->
                new Condition(
                    part.text("type"),
                    part.text("status"),
                    part.text("reason"),
                    part.text("message")))
        .toList();
  }

  public Optional<Condition> condition(String type) {
    return conditions().stream().filter(one -> one.type().equals(type)).findFirst();
  }

  /** Whether the controller has not seen the latest specification yet. */
  public boolean isBehind() {
    return count("status", "observedGeneration") < count("metadata", "generation");
  }

  private static <T> T fail(String[] path, String expected, Object found) {
    throw new MalformedObjectException(String.join(".", path), expected, found);
  }
}
