package dev.slipway.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.web.Route;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds real answers to the OpenAPI document. */
final class Contract {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, Object> document;
  private final List<Route> routes;
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  Contract(Map<String, Object> document, List<Route> routes) {
    this.document = document;
    this.routes = routes;
  }

  /** What is wrong with an answer; empty when it is as documented. */
  List<String> violations(String method, String path, int status, String type, String body) {
    Route route =
        routes.stream()
            .filter(r -> r.method().name().equals(method) && r.covers(path))
            .min(Comparator.comparingInt(r -> r.pathParameters().size()))
            .orElse(null);
    if (route == null) {
      return status == 404 || status == 405 ? problem(status, type, body) : List.of("no route");
    }
    Route.Reply reply = route.replies().get(status);
    if (status >= 400 && reply == null) {
      return problem(status, type, body);
    }
    if (reply == null) {
      return List.of(route.operation() + " does not document status " + status);
    }
    if (reply.schema().isEmpty()) {
      return List.of();
    }
    return check(reply.schema(), body);
  }

  private List<String> problem(int status, String type, String body) {
    if (!type.startsWith("application/problem+json")) {
      return List.of("a " + status + " that is no problem document but " + type);
    }
    if (((Number) Json.readMap(body).get("status")).intValue() != status) {
      return List.of("the problem says another status than the answer");
    }
    return check("Problem", body);
  }

  /** What is wrong with the data of a server-sent event. */
  List<String> violations(String type, String data) {
    Map<String, Object> schemas = Values.map(Values.map(document.get("components")).get("schemas"));
    Map<String, Object> types =
        Values.map(
            Values.map(Values.map(schemas.get("Event")).get("discriminator")).get("mapping"));
    Object schema = types.get(type);
    return schema == null
        ? List.of("the contract has no events of type " + type)
        : check(schema.toString().replace("#/components/schemas/", ""), data);
  }

  private List<String> check(String schema, String body) {
    return schemas.computeIfAbsent(schema, this::schema).validate(body, InputFormat.JSON).stream()
        .map(error -> schema + ": " + error)
        .toList();
  }

  private Schema schema(String name) {
    Map<String, Object> out = new LinkedHashMap<>();
    String plain = name.replace("[]", "");
    out.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    Map<String, Object> reference = Map.of("$ref", "#/components/schemas/" + plain);
    if (name.endsWith("[]")) {
      out.put("type", "object");
      out.put("required", List.of("data", "total"));
      out.put("additionalProperties", false);
      out.put(
          "properties",
          Map.of(
              "data", Map.of("type", "array", "items", reference),
              "continue", Map.of("type", "string"),
              "total", Map.of("type", "integer")));
    } else {
      out.putAll(reference);
    }
    out.put("components", document.get("components"));
    JsonNode node = MAPPER.valueToTree(out);
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(node);
  }

  static String pretty(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
