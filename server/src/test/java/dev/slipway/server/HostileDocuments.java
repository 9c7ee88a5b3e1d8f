package dev.slipway.server;

import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Documents that a team writes which means harm: every kind of attack in every place that a
 * document has, against every provider. The same seed gives the same documents.
 */
final class HostileDocuments {

  /** What a document tries. */
  enum Attack {
    FOREIGN_NAMES,
    TRAVERSAL,
    OPTIONS,
    QUOTING,
    TEMPLATES,
    SQL,
    UNICODE,
    INJECTED_NAMES,
    SHARED_RESOURCES,
    ALIASES
  }

  /** One document. */
  record Hostile(Attack attack, String application, String type, String text) {}

  /** What the attacker knows of the other team, and where a successful injection would write. */
  record Knowledge(
      List<String> types, List<String> foreign, Map<String, List<String>> fitting, String canary) {}

  private static final List<String> PROBED = List.of("word", "word", "word", "path", "identifier");

  private static final Map<String, List<String>> PARAMS =
      Map.of(
          "volume", List.of("size", "adopt", "path", "source", "owner"),
          "git-repo", List.of("branch", "description", "adopt", "path", "first_commit", "url"),
          "postgres", List.of("database", "database", "username", "host", "password"));

  private static final List<String> INJECTED =
      List.of(
          "app_name",
          "resource_name",
          "resource_type",
          "resource_class",
          "resource_id",
          "environment",
          "team_id",
          "operation",
          "namespace",
          "bucket_name",
          "appName",
          "App_Name",
          "resource-id",
          "teamId",
          "environment ");

  private final Random random;
  private final Knowledge knowledge;
  private final HostileWords words;
  private int made;

  HostileDocuments(long seed, Knowledge knowledge) {
    this.random = new Random(seed);
    this.knowledge = knowledge;
    this.words = new HostileWords(random, knowledge);
  }

  Hostile next() {
    Attack attack = Attack.values()[made % Attack.values().length];
    String name = "red-" + made++;
    String type = pick(knowledge.types());
    return attack == Attack.ALIASES
        ? new Hostile(attack, name, type, aliases(name, type))
        : new Hostile(attack, name, type, document(attack, name, type));
  }

  /** Another document for the same resource: what an update could reach. */
  String again(Hostile before) {
    Map<String, Object> params = params(Attack.FOREIGN_NAMES, before.type());
    return Json.write(score(before.application(), "thing", resource(before.type(), params)));
  }

  private String document(Attack attack, String name, String type) {
    Map<String, Object> resource = resource(type, params(attack, type));
    String application = name;
    String called = "thing";
    switch (random.nextInt(12)) {
      case 0 -> application = words.of(attack);
      case 1 -> called = words.of(attack);
      case 2 -> resource.put(pick(List.of("id", "class", "type")), words.of(attack));
      case 3 -> resource.put("metadata", Map.of(words.of(attack), words.of(attack)));
      default -> {}
    }
    if (attack == Attack.SHARED_RESOURCES) {
      share(resource);
    }
    return Json.write(score(application, called, resource));
  }

  private void share(Map<String, Object> resource) {
    resource.put(
        "id", pick(List.of("commons", "bluefarm.files", "bluefarm.db", "bluefarm.code", "own")));
    Map<String, Object> annotations = new LinkedHashMap<>();
    annotations.put("slipway.dev/shared-from", pick(List.of("blue", "red", "nobody")));
    annotations.put("slipway.dev/shared-with", pick(List.of("*", "red", "blue")));
    annotations.put(
        "slipway.dev/deletion-policy", pick(List.of("delete", "delete", "delete", "replace")));
    annotations.keySet().removeIf(key -> random.nextInt(3) == 0);
    resource.put("metadata", Map.of("annotations", annotations));
    if (random.nextBoolean()) {
      resource.remove("params");
    }
  }

  private Map<String, Object> params(Attack attack, String type) {
    Map<String, Object> params = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(PARAMS.getOrDefault(type, PROBED));
    for (int i = 0; i <= random.nextInt(2); i++) {
      String param = pick(names);
      params.put(param, attack == Attack.FOREIGN_NAMES ? foreign(type, param) : words.of(attack));
    }
    if (random.nextInt(10) == 0) {
      params.put(words.of(attack), words.of(attack));
    }
    if (attack == Attack.INJECTED_NAMES) {
      params.clear();
      params.put(pick(INJECTED), pick(knowledge.foreign()));
    }
    return params;
  }

  /** Mostly what fits the parameter: the name of a database for a database. */
  private String foreign(String type, String param) {
    List<String> fitting =
        knowledge
            .fitting()
            .getOrDefault(
                type + "." + param, knowledge.fitting().getOrDefault(param, knowledge.foreign()));
    return pick(random.nextInt(4) == 0 ? knowledge.foreign() : fitting);
  }

  private static Map<String, Object> resource(String type, Map<String, Object> params) {
    Map<String, Object> resource = new LinkedHashMap<>();
    resource.put("type", type);
    resource.put("params", params);
    return resource;
  }

  private static Map<String, Object> score(
      String application, String called, Map<String, Object> resource) {
    Map<String, Object> score = new LinkedHashMap<>();
    score.put("apiVersion", "score.dev/v1b1");
    score.put("metadata", Map.of("name", application));
    score.put("resources", Map.of(called, resource));
    return score;
  }

  private String aliases(String name, String type) {
    String stolen = Json.write(pick(knowledge.foreign()));
    String param = pick(PARAMS.getOrDefault(type, PROBED));
    String body =
        switch (random.nextInt(6)) {
          case 0 -> "  a: {type: %s, params: &a {app_name: %s}}\n  b: {type: %s, params: *a}\n";
          case 1 -> "  a: {type: %s, params: {<<: {environment: %s}}}\n  b: {type: %s}\n";
          case 2 -> "  a: {type: %s, properties: {team_id: %s}}\n  b: {type: %s}\n";
          case 3 -> "  a: {type: %s, params: {x: &x [%s]}}\n  b: {type: %s, params: *x}\n";
          case 4 -> "  a: &a {type: %s, params: {" + param + ": &v %s}}\n  <<: {b: {type: %s}}\n";
          default -> "  thing: {type: %s, params: {k: &k %s, *k : 1}}\n  b: {type: %s}\n";
        };
    return "apiVersion: score.dev/v1b1\nmetadata: {name: %s}\nresources:\n".formatted(name)
        + body.formatted(type, stolen, type);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
