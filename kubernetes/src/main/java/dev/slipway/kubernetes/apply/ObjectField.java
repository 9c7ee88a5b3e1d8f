package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A field of an object, such as {@code spec.containers[name="web"].image}. */
record ObjectField(List<Part> parts) {
  static final ObjectField ROOT = new ObjectField(List.of());

  /** One step on the way to a field. */
  sealed interface Part {
    /** As managed fields have it; empty when they name the part by nothing. */
    String key();
  }

  /** A field of a map. */
  record Named(String name) implements Part {
    @Override
    public String key() {
      return "f:" + name;
    }
  }

  /**
   * An item of a list.
   *
   * @param index where the manifest has it
   */
  record Item(int index, String key) implements Part {
    /** By which it is found among the others. */
    Map<String, Object> names() {
      return key.startsWith("k:") ? Json.readMap(key.substring(2)) : Map.of();
    }
  }

  ObjectField {
    parts = List.copyOf(parts);
  }

  ObjectField child(Part part) {
    return new ObjectField(Stream.concat(parts.stream(), Stream.of(part)).toList());
  }

  List<String> keys() {
    return parts.stream().map(Part::key).toList();
  }

  /** Without values of fields other than names of items. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Named(String name) when name.matches("[A-Za-z0-9_-]+") ->
            text.append(text.isEmpty() ? "" : ".").append(name);
        case Named(String name) -> text.append('[').append(name).append(']');
        case Item item -> text.append('[').append(label(item)).append(']');
      }
    }
    return text.toString();
  }

  private static String label(Item item) {
    return item.names().isEmpty()
        ? Integer.toString(item.index())
        : item.names().entrySet().stream()
            .map(part -> part.getKey() + "=" + Json.write(part.getValue()))
            .collect(Collectors.joining(","));
  }
}
