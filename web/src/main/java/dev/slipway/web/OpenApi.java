package dev.slipway.web;

import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Total;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The contract of the HTTP API: the route table, with schemas written by hand beside this class.
 */
public final class OpenApi {
  private OpenApi() {}

  /**
   * The OpenAPI 3.1 document of these routes, with schemas of branches beside the trunk's. Paths
   * and schemas are in the order of their names, whichever module brings them.
   */
  public static Map<String, Object> document(
      List<Route> routes, List<URL> fragments, String version) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("openapi", "3.1.0");
    out.put(
        "info",
        object(
            "title",
            "Slipway",
            "version",
            version,
            "license",
            object("name", "Apache-2.0", "identifier", "Apache-2.0")));
    out.put("servers", List.of(object("url", "/")));
    out.put("security", List.of(object("bearer", List.of()), object("cookie", List.of())));
    out.put("paths", paths(routes));
    out.put("components", OpenApiComponents.of(fragments));
    return out;
  }

  private static Map<String, Object> paths(List<Route> routes) {
    Map<String, Object> paths = new TreeMap<>();
    for (Route route : routes) {
      Map<String, Object> path =
          Values.map(paths.computeIfAbsent(route.path(), p -> new LinkedHashMap<String, Object>()));
      path.put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    return paths;
  }

  private static Map<String, Object> operation(Route route) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("operationId", route.operation());
    out.put("summary", route.summary());
    out.put("x-slipway-permission", permission(route.access()));
    if (route.access() instanceof Route.Access.Open) {
      out.put("security", List.of());
    }
    List<Object> parameters = parameters(route);
    if (!parameters.isEmpty()) {
      out.put("parameters", parameters);
    }
    if (route.consumes() != Route.Content.NONE) {
      out.put("requestBody", requestBody(route));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    route.replies().forEach((status, reply) -> responses.put("" + status, response(reply)));
    responses.put("default", object("$ref", "#/components/responses/Problem"));
    out.put("responses", responses);
    return out;
  }

  private static String permission(Route.Access access) {
    return switch (access) {
      case Route.Access.Open open -> "none";
      case Route.Access.SignedIn signedIn -> "signed-in";
      case Route.Access.Needs needs -> needs.action().name().toLowerCase(Locale.ROOT);
    };
  }

  private static List<Object> parameters(Route route) {
    List<Object> out = new ArrayList<>();
    for (String name : route.pathParameters()) {
      out.add(
          object("name", name, "in", "path", "required", true, "schema", object("type", "string")));
    }
    for (Route.Parameter parameter : route.parameters()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", parameter.name());
      one.put("in", "query");
      one.put("description", parameter.description());
      one.put(
          "schema",
          switch (parameter.kind()) {
            case TEXT -> object("type", "string");
            case NUMBER -> object("type", "integer");
            case FLAG -> object("type", "boolean");
            case TEXTS -> object("type", "array", "items", object("type", "string"));
          });
      out.add(one);
      parameter.oldSpelling().ifPresent(old -> out.add(oldSpelling(old, parameter)));
    }
    if (route.traits().contains(Route.Trait.IDEMPOTENT)) {
      out.add(object("$ref", "#/components/parameters/IdempotencyKey"));
    }
    if (route.traits().contains(Route.Trait.VERSIONED)) {
      out.add(object("$ref", "#/components/parameters/IfMatch"));
    }
    return out;
  }

  private static Map<String, Object> oldSpelling(String old, Route.Parameter parameter) {
    return object(
        "name",
        old,
        "in",
        "query",
        "deprecated",
        true,
        "description",
        "old spelling of '" + parameter.name() + "'",
        "schema",
        object("type", "string"));
  }

  private static Map<String, Object> requestBody(Route route) {
    boolean required =
        switch (route.consumes()) {
          case JSON, DOCUMENT -> true;
          case NONE, OPTIONAL_JSON, OPTIONAL_DOCUMENT -> false;
        };
    Map<String, Object> content = new LinkedHashMap<>();
    switch (route.consumes()) {
      case DOCUMENT, OPTIONAL_DOCUMENT -> {
        content.put("application/yaml", object("schema", object("type", "string")));
        content.put("application/json", object("schema", object("type", "object")));
      }
      case NONE, JSON, OPTIONAL_JSON ->
          content.put("application/json", object("schema", reference(route.requestSchema())));
    }
    return object("required", required, "content", content);
  }

  private static Map<String, Object> response(Route.Reply reply) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("description", reply.description());
    if (reply.contentType().equals(Route.Reply.EVENTS)) {
      // OpenAPI 3.1 has no word for what each event of a stream carries.
      Map<String, Object> stream = object("schema", object("type", "string"));
      stream.put("x-slipway-event-data", reference(reply.schema()));
      out.put("content", object(reply.contentType(), stream));
    } else if (!reply.contentType().isEmpty()) {
      Map<String, Object> schema =
          reply.schema().isEmpty() ? object("type", "string") : reference(reply.schema());
      out.put("content", object(reply.contentType(), object("schema", schema)));
    }
    return out;
  }

  /** {@code Name}, or {@code Name[]} for a page of such a list. */
  private static Map<String, Object> reference(String schema) {
    if (!schema.endsWith("[]")) {
      return object("$ref", "#/components/schemas/" + schema);
    }
    Map<String, Object> item = reference(schema.substring(0, schema.length() - 2));
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("data", object("type", "array", "items", item));
    properties.put("continue", object("type", "string"));
    properties.put(
        "total",
        object(
            "type",
            "integer",
            "description",
            "how many there are in all, counted up to " + Total.MOST));
    properties.put(
        "totalCapped",
        object("type", "boolean", "description", "true when there are more than that"));
    return object("type", "object", "required", List.of("data", "total"), "properties", properties);
  }

  /** An object with its members in this order, so that the document is reproducible. */
  static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return out;
  }
}
