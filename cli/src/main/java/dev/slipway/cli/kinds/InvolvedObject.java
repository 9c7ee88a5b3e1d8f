package dev.slipway.cli.kinds;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Finds out whether an event or an approval is about an object: it names the object in a field that
 * is called as the kind is ({@code provider: postgres}, {@code runId: 01a1…}) and disagrees with it
 * about no environment.
 */
public record InvolvedObject(Kind kind, Map<String, Object> object) {

  public boolean in(Map<String, Object> record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (record.get("data") instanceof Map<?, ?> data) {
      data.forEach((name, value) -> fields.put(String.valueOf(name), value));
    }
    fields.putAll(record);
    return sameEnvironment(fields) && names(fields);
  }

  /** The same, or both refer to one third object: {@code runId} of a resource and an approval. */
  public boolean nearby(Map<String, Object> record) {
    return in(record)
        || object.entrySet().stream()
            .filter(field -> field.getKey().endsWith("Id") && field.getValue() != null)
            .anyMatch(field -> field.getValue().equals(record.get(field.getKey())));
  }

  private boolean sameEnvironment(Map<String, Object> fields) {
    Object here = object.get("environment");
    Object there = fields.get("environment");
    return here == null || there == null || here.equals(there);
  }

  private boolean names(Map<String, Object> fields) {
    List<Object> mine = new ArrayList<>();
    mine.add(object.get(kind.key()));
    mine.add(object.get("id"));
    mine.removeIf(Objects::isNull);
    return fieldNames().stream().map(fields::get).anyMatch(mine::contains);
  }

  /** Events call an application {@code app_name}, too. */
  private List<String> fieldNames() {
    List<String> names = new ArrayList<>();
    for (String word : kind.words()) {
      String field = camel(word);
      names.addAll(List.of(field, field + "Id", field + "_name"));
    }
    return names;
  }

  /** {@code golden-path} is written {@code goldenPath} in fields. */
  static String camel(String word) {
    StringBuilder field = new StringBuilder();
    for (String part : word.split("-+")) {
      field.append(
          field.isEmpty()
              ? part
              : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
    }
    return field.toString();
  }
}
