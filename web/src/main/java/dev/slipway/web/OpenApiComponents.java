package dev.slipway.web;

import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The schemas of the contract: those of the trunk, and what branches add to them. */
final class OpenApiComponents {
  private static final String SCHEMAS = "schemas.yaml";

  private static final String EVENTS = "events.yaml";

  private OpenApiComponents() {}

  static Map<String, Object> of(List<URL> fragments) {
    Map<String, Object> components = new LinkedHashMap<>(read(own(SCHEMAS)));
    Map<String, Object> schemas = new TreeMap<>(Values.map(components.get("schemas")));
    EventSchemas events = new EventSchemas();
    List<URL> all = new ArrayList<>(List.of(own(EVENTS)));
    all.addAll(fragments);
    for (URL fragment : all) {
      Map<String, Object> content = read(fragment);
      add(schemas, Values.map(content.getOrDefault("schemas", Map.of())), fragment.toString());
      extend(schemas, Values.map(content.getOrDefault("extends", Map.of())), fragment.toString());
      events.add(content);
    }
    add(schemas, events.all(), "the list of events");
    components.put("schemas", schemas);
    return components;
  }

  private static void add(Map<String, Object> schemas, Map<String, Object> more, String from) {
    more.forEach(
        (name, schema) -> {
          if (schemas.putIfAbsent(name, schema) != null) {
            throw new IllegalStateException(from + " has a schema of another: " + name);
          }
        });
  }

  /** Fields that a branch adds to schemas of the trunk. */
  private static void extend(Map<String, Object> schemas, Map<String, Object> more, String from) {
    more.forEach(
        (name, fields) -> {
          if (!(schemas.get(name) instanceof Map<?, ?> before)) {
            throw new IllegalStateException(from + " extends a schema that is not there: " + name);
          }
          Map<String, Object> schema = new LinkedHashMap<>(Values.map(before));
          Map<String, Object> added = Values.map(fields);
          Map<String, Object> properties =
              new LinkedHashMap<>(Values.map(schema.get("properties")));
          properties.putAll(Values.map(added.get("properties")));
          List<Object> required = new ArrayList<>((List<?>) schema.get("required"));
          required.addAll((List<?>) added.get("required"));
          schema.put("required", required);
          schema.put("properties", properties);
          schemas.put(name, schema);
        });
  }

  private static URL own(String file) {
    return Objects.requireNonNull(OpenApiComponents.class.getResource(file), file);
  }

  private static Map<String, Object> read(URL yaml) {
    try (InputStream in = yaml.openStream()) {
      return Values.map(new Load(LoadSettings.builder().build()).loadFromInputStream(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
