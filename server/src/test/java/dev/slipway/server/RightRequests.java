package dev.slipway.server;

import dev.slipway.server.TeamRed.Owned;
import dev.slipway.web.Route;
import dev.slipway.web.Route.Content;
import dev.slipway.web.Route.Method;
import dev.slipway.web.Route.Parameter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests of a route that reach what they are meant for: the right value in every place and
 * the right body. A new place, parameter or body that is not known here is an error, so that no
 * route is tried with a request that would be refused anyway.
 */
final class RightRequests {
  /** Without these a request of this operation is refused, with any role. */
  private static final Map<String, List<String>> NEEDED =
      Map.ofEntries(
          Map.entry("deleteApplication", List.of("confirm")),
          Map.entry("deleteApplicationSpec", List.of("confirm")),
          Map.entry("deprovisionApplication", List.of("confirm")),
          Map.entry("deprovisionApplicationSpec", List.of("confirm")),
          Map.entry("deleteResource", List.of("confirm")),
          Map.entry("deleteEnvironment", List.of("cascade", "confirm")),
          Map.entry("executeGoldenPathByQuery", List.of("team")),
          Map.entry("graphHistory", List.of("revision")),
          Map.entry("graphOfProvider", List.of("provider")));

  /** Left out: places in a list, what other teams have too, and what is for operators alone. */
  private static final Set<String> WITHOUT =
      Set.of("limit", "continue", "page", "force", "image", "file", "types", "after");

  private final Owned things;

  RightRequests(Owned things) {
    this.things = things;
  }

  /** A request, and what of it the answer may repeat. */
  record Request(Route route, String path, String body, Set<String> own) {
    @Override
    public String toString() {
      return route.method() + " " + path + " " + body.replaceAll("\\s+", " ");
    }
  }

  /** With what is needed, and with each other parameter once. */
  List<Request> of(Route route) {
    Map<String, String> needed = new LinkedHashMap<>();
    NEEDED
        .getOrDefault(route.operation(), List.of())
        .forEach(name -> needed.put(name, value(route, name)));
    List<Request> all = new ArrayList<>(List.of(request(route, needed)));
    for (Parameter parameter : route.parameters()) {
      if (!needed.containsKey(parameter.name()) && !WITHOUT.contains(parameter.name())) {
        Map<String, String> more = new LinkedHashMap<>(needed);
        more.put(parameter.name().replace("*", "words"), value(route, parameter.name()));
        all.add(request(route, more));
      }
    }
    return all;
  }

  private Request request(Route route, Map<String, String> query) {
    Map<String, String> places = new LinkedHashMap<>();
    for (String name : route.pathParameters()) {
      places.put(name, place(before(route, name)));
    }
    return request(route, places, query, body(route));
  }

  static Request request(
      Route route, Map<String, String> places, Map<String, String> query, String body) {
    Set<String> own = new HashSet<>(places.values());
    own.addAll(query.values());
    // A reference to a node names it again.
    places.values().forEach(place -> own.add(place.substring(place.indexOf(':') + 1)));
    String path = route.path();
    for (Map.Entry<String, String> place : places.entrySet()) {
      path = path.replace("{" + place.getKey() + "}", encoded(place.getValue()));
    }
    Set<String> pairs = new LinkedHashSet<>();
    query.forEach((name, value) -> pairs.add(encoded(name) + "=" + encoded(value)));
    return new Request(
        route, pairs.isEmpty() ? path : path + "?" + String.join("&", pairs), body, own);
  }

  /** What a place of a path stands behind, such as applications. */
  static String before(Route route, String name) {
    List<String> segments = List.of(route.path().split("/"));
    return segments.get(segments.indexOf("{" + name + "}") - 1);
  }

  String place(String collection) {
    return switch (collection) {
      case "applications", "specs", "graph" -> things.application();
      case "nodes" -> "application:" + things.application();
      case "environments" -> things.environment();
      case "teams" -> things.team();
      case "users", "members" -> things.user();
      case "plans" -> things.plan();
      case "deployments" -> things.deployment();
      case "resources" -> things.resource();
      case "workflows" -> things.run();
      case "steps" -> "first";
      case "approvals" -> things.approval();
      case "api-keys" -> things.key();
      case "holds" -> things.key();
      case "golden-paths" -> "ask";
      case "providers" -> "tools";
      case "schemas" -> "workflow.json";
      case "clusters" -> "away";
      default -> throw new AssertionError("say here what stands behind " + collection);
    };
  }

  private String value(Route route, String parameter) {
    return switch (parameter) {
      case "app", "application" -> things.application();
      case "environment" ->
          route.method() == Method.GET && route.pathParameters().isEmpty()
              ? things.environment()
              : "default";
      case "team" -> things.team();
      case "user" -> things.user();
      case "planHash" -> things.plan();
      case "parent", "search" -> things.run();
      case "resource" -> route.operation().equals("listRuns") ? things.resource() : "redfiles";
      case "from", "node" -> "spec:" + things.application();
      case "confirm" ->
          switch (route.operation()) {
            case "deleteResource" -> "redfiles";
            case "deleteEnvironment" -> things.environment();
            default -> things.application();
          };
      case "state" -> route.operation().equals("listApprovals") ? "pending" : "active";
      case "status" -> "succeeded";
      case "replace" -> "redfiles";
      case "orphan" -> route.consumes() == Content.DOCUMENT ? "redfiles" : "true";
      case "type", "provider" -> "volume";
      case "revision" -> "1";
      case "format" -> "json";
      case "dryRun", "reveal", "follow", "cascade" -> "true";
      case "param.*", "action", "object" -> "anything";
      default -> throw new AssertionError("say here a right value of " + parameter);
    };
  }

  /** What is sent to this route. */
  String body(Route route) {
    if (route.operation().equals("assessHealth")) {
      return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"mine\"}}";
    }
    if (route.consumes() == Content.DOCUMENT) {
      return ApplicationTest.score(things.application());
    }
    return switch (route.requestSchema()) {
      case "", "Object" -> "";
      case "Rollback" -> "{\"revision\":1}";
      case "Comment" -> "{\"comment\":\"mine now\"}";
      case "RunRetry" -> "{\"from\":\"first\"}";
      case "GoldenPathOrder" ->
          "{\"parameters\":{\"words\":\"w\"},\"team\":\"%s\"}".formatted(things.team());
      case "NewResource" ->
          "{\"application\":\"%s\",\"name\":\"more\",\"type\":\"volume\"}"
              .formatted(things.application());
      case "NewEnvironment" -> "{\"name\":\"%s\"}".formatted(things.environment());
      case "EnvironmentChange" -> "{\"ttl\":\"1s\"}";
      case "NewApiKey" -> "{\"name\":\"more\"}";
      case "NewTeam" -> "{\"name\":\"%s\"}".formatted(things.team());
      case "NewMember" -> "{\"user\":\"blue-developer\",\"role\":\"developer\"}";
      case "NewUser" -> "{\"name\":\"%s\"}".formatted(things.user());
      case "NewAuditHold" -> "{\"reason\":\"mine\"}";
      case "StateRestore" -> "{\"version\":1}";
      case "UserChange" -> "{\"displayName\":\"mine\"}";
      case "Login" -> "{\"username\":\"%s\",\"password\":\"guess\"}".formatted(things.user());
      default -> throw new AssertionError("say here a right " + route.requestSchema());
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
