package dev.slipway.kubernetes.workload;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of a workload, read field by field. A resource of type {@code workload} may be written by
 * hand, so nothing is taken for granted that the schema of Score documents holds.
 */
record Part(String path, Map<String, Object> values) {
  static Part of(String path, @Nullable Object value) throws RefusedException {
    if (value == null) {
      return new Part(path, Map.of());
    }
    if (value instanceof Map<?, ?>) {
      return new Part(path, Values.map(value));
    }
    throw refused(path, "has to be a map");
  }

  static RefusedException refused(String path, String what) {
    return RefusedException.last(
        "invalid-workload", path + " " + what, "Correct the document and deploy it again.");
  }

  RefusedException wrong(String key, String what) {
    return refused(at(key), what);
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  boolean has(String key) {
    return values.get(key) != null;
  }

  Part part(String key) throws RefusedException {
    return of(at(key), values.get(key));
  }

  /** The maps in a map, by name, so that the order of a document makes no difference. */
  SortedMap<String, Part> parts(String key) throws RefusedException {
    Part whole = part(key);
    SortedMap<String, Part> parts = new TreeMap<>();
    for (String name : whole.values().keySet()) {
      parts.put(name, whole.part(name));
    }
    return parts;
  }

  /** The texts in a map, by name. */
  SortedMap<String, String> named(String key) throws RefusedException {
    Part whole = part(key);
    SortedMap<String, String> texts = new TreeMap<>();
    for (String name : whole.values().keySet()) {
      texts.put(name, whole.required(name));
    }
    return texts;
  }

  Optional<String> text(String key) throws RefusedException {
    return switch (values.get(key)) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      case Number number -> Optional.of(number.toString());
      case Boolean bool -> Optional.of(bool.toString());
      case Object _ -> throw wrong(key, "has to be a text");
    };
  }

  String required(String key) throws RefusedException {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      throw wrong(key, "is missing");
    }
    return text.get();
  }

  List<String> texts(String key) throws RefusedException {
    List<String> texts = new ArrayList<>();
    for (Part each : items(key)) {
      texts.add(each.required("value"));
    }
    return texts;
  }

  /** The items of a list; one that is no map is the field {@code value} of its part. */
  List<Part> items(String key) throws RefusedException {
    Object value = values.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw wrong(key, "has to be a list");
    }
    List<Part> items = new ArrayList<>();
    for (Object item : list) {
      String place = at(key) + "[" + items.size() + "]";
      items.add(
          item instanceof Map<?, ?> map
              ? new Part(place, Values.map(map))
              : new Part(place, item == null ? Map.of() : Map.of("value", item)));
    }
    return items;
  }

  Optional<Integer> port(String key) throws RefusedException {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.get().matches("[1-9][0-9]{0,4}") || Integer.parseInt(text.get()) > 65_535) {
      throw wrong(key, "is no port");
    }
    return Optional.of(Integer.valueOf(text.get()));
  }

  boolean flag(String key) {
    return Boolean.TRUE.equals(values.get(key));
  }
}
