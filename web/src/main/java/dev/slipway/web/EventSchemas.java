package dev.slipway.web;

import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Schemas of events, one for each type. A fragment of the contract lists types with the names of
 * the fields of their data ({@code events}), and says what these fields are ({@code fields}); it
 * may use fields of the fragments before it.
 */
final class EventSchemas {
  private static final String REFERENCE = "#/components/schemas/";

  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final Map<String, Object> schemas = new LinkedHashMap<>();
  private final Map<String, Object> byType = new LinkedHashMap<>();

  /** Takes the types of a fragment. Two fragments with the same type are a programming error. */
  void add(Map<String, Object> fragment) {
    Map<String, Object> known = new LinkedHashMap<>(fields);
    known.putAll(part(fragment, "fields"));
    part(fragment, "fields").forEach(fields::putIfAbsent);
    part(fragment, "events")
        .forEach(
            (type, about) -> {
              String name = name(type);
              if (schemas.put(name, schema(type, Values.map(about), known)) != null) {
                throw new IllegalStateException("two fragments have events of type " + type);
              }
              byType.put(type, REFERENCE + name);
            });
  }

  /** A schema for each type, and {@code Event}, which is any of them. */
  Map<String, Object> all() {
    byType.put("stream.reset", REFERENCE + name("stream.reset"));
    List<Object> any = new ArrayList<>();
    byType.values().forEach(reference -> any.add(OpenApi.object("$ref", reference)));
    Map<String, Object> out = new LinkedHashMap<>();
    out.put(
        "Event",
        OpenApi.object(
            "description",
            "The data of one server-sent event, by its type",
            "oneOf",
            any,
            "discriminator",
            OpenApi.object("propertyName", "type", "mapping", byType)));
    out.putAll(schemas);
    return out;
  }

  /** {@code step.rolled-back} is a {@code StepRolledBackEvent}. */
  private static String name(String type) {
    StringBuilder out = new StringBuilder();
    for (String word : type.split("[.-]")) {
      out.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return out.append("Event").toString();
  }

  private static Map<String, Object> schema(
      String type, Map<String, Object> about, Map<String, Object> known) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<Object> required = new ArrayList<>();
    for (Object entry : (List<?>) Objects.requireNonNull(about.get("data"), type)) {
      String field = entry.toString();
      boolean optional = field.endsWith("?");
      String plain = optional ? field.substring(0, field.length() - 1) : field;
      properties.put(
          plain, Objects.requireNonNull(known.get(plain), () -> type + " has no field " + plain));
      if (!optional) {
        required.add(plain);
      }
    }
    Map<String, Object> data = members(required, properties);
    List<?> kinds = about.get("node") instanceof List<?> list ? list : List.of();
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put(
        "id", OpenApi.object("type", "integer", "description", "grows from event to event"));
    envelope.put("type", OpenApi.object("const", type));
    envelope.put("root", described(nodes(List.of()), "what the node is a part of, at the top"));
    envelope.put("node", described(nodes(kinds), "what something has happened to"));
    envelope.put("application", OpenApi.object("type", List.of("string", "null")));
    envelope.put(
        "app_name",
        OpenApi.object(
            "type",
            List.of("string", "null"),
            "deprecated",
            true,
            "description",
            "old spelling of 'application', always equal to it"));
    envelope.put("environment", OpenApi.object("type", List.of("string", "null")));
    envelope.put("timestamp", OpenApi.object("type", "string", "format", "date-time"));
    envelope.put(
        "source",
        OpenApi.object("type", "string", "description", "the component that appended it"));
    envelope.put("data", data);
    Map<String, Object> schema = members(new ArrayList<>(envelope.keySet()), envelope);
    schema.put("description", Objects.requireNonNull(about.get("description"), type));
    return schema;
  }

  /** References to nodes of one of these kinds; without any, of all. */
  private static Map<String, Object> nodes(List<?> kinds) {
    Map<String, Object> out = OpenApi.object("$ref", REFERENCE + "NodeRef");
    if (!kinds.isEmpty()) {
      out.put(
          "pattern",
          kinds.stream().map(String::valueOf).collect(Collectors.joining("|", "^(", "):")));
    }
    return out;
  }

  private static Map<String, Object> described(Map<String, Object> schema, String description) {
    schema.put("description", description);
    return schema;
  }

  private static Map<String, Object> members(
      List<Object> required, Map<String, Object> properties) {
    return OpenApi.object(
        "type",
        "object",
        "required",
        required,
        "additionalProperties",
        false,
        "properties",
        properties);
  }

  private static Map<String, Object> part(Map<String, Object> fragment, String key) {
    return fragment.get(key) == null ? Map.of() : Values.map(fragment.get(key));
  }
}
