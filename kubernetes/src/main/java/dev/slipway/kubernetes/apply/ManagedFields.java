package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Which clients manage which fields of an object, as the API server recorded it. */
record ManagedFields(List<Entry> entries) {
  /** What one client has done. The time has the form of RFC 3339, in UTC. */
  record Entry(
      String manager,
      String operation,
      String subresource,
      String time,
      Map<String, Object> fields) {
    static Entry of(Map<String, Object> written) {
      return new Entry(
          text(written, "manager"),
          text(written, "operation"),
          text(written, "subresource"),
          text(written, "time"),
          Values.map(written.get("fieldsV1")));
    }

    private static String text(Map<String, Object> written, String key) {
      return Objects.toString(written.get(key), "");
    }
  }

  static ManagedFields of(ClusterObject live) {
    return new ManagedFields(
        live.metadata().get("managedFields") instanceof List<?> all
            ? all.stream().map(Values::map).map(Entry::of).toList()
            : List.of());
  }

  /** The fields that this manager has applied or patched. */
  Map<String, Object> of(String manager) {
    return tree(entries.stream().filter(entry -> entry.manager().equals(manager)));
  }

  /** The fields of all managers in one tree. */
  Map<String, Object> all() {
    return tree(entries.stream());
  }

  private static Map<String, Object> tree(Stream<Entry> entries) {
    return entries.map(Entry::fields).reduce(Map.of(), ManagedFields::merged);
  }

  private static Map<String, Object> merged(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> both = new LinkedHashMap<>(one);
    other.forEach(
        (key, below) -> both.merge(key, below, (a, b) -> merged(Values.map(a), Values.map(b))));
    return both;
  }

  /** The client that changed the field last, other than this one. */
  Optional<String> changedBy(ObjectField field, String except) {
    return entries.stream()
        .filter(entry -> !entry.manager().equals(except))
        .filter(entry -> has(entry.fields(), field.keys()))
        .max(Comparator.comparing(Entry::time))
        .map(Entry::manager);
  }

  private static boolean has(Map<String, Object> fields, List<String> keys) {
    Map<String, Object> here = fields;
    for (String key : keys) {
      if (!here.containsKey(key)) {
        return false;
      }
      here = Values.map(here.get(key));
    }
    return true;
  }
}
