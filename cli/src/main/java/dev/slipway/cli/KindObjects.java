package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.cli.kinds.KindTable;
import dev.slipway.cli.kinds.UriTemplate;
import dev.slipway.engine.intake.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of all kinds, found as the server's table says. */
final class KindObjects {
  /** More are not read: a list that long is narrowed, not read. */
  static final int MOST = 10_000;

  private final Api api;
  private final KindTable table;

  private KindObjects(Api api, KindTable table) {
    this.api = api;
    this.table = table;
  }

  static KindObjects on(Api api) throws InterruptedException {
    Map<String, Object> answer =
        api.find("/api/kinds")
            .orElseThrow(
                () ->
                    new Failure(
                        ExitCode.FAILED,
                        "the server has no table of kinds (GET /api/kinds)",
                        "It is older than this command: upgrade it, or use its own verbs, such as"
                            + " slipway status."));
    try {
      return new KindObjects(api, KindTable.parse(answer));
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.FAILED,
          "the server's table of kinds cannot be read: " + e.getMessage(),
          "This command may be older than the server: install the server's version.");
    }
  }

  Api api() {
    return api;
  }

  KindTable table() {
    return table;
  }

  Kind kind(String word) {
    return table
        .find(word)
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.USAGE,
                    "'" + word + "' is no kind of object on this server",
                    Nearest.to(word, table.words())
                        .map(near -> "Did you mean '" + near + "'?")
                        .orElse(""),
                    "Kinds: "
                        + String.join(", ", table.kinds().stream().map(Kind::plural).toList())));
  }

  /** The address of an operation on an object; the caller's choices win over its fields. */
  String address(Kind kind, Operation operation, Map<String, Object> values) {
    UriTemplate template = template(kind, operation);
    List<String> missing = template.missing(values);
    if (!missing.isEmpty()) {
      throw new Failure(
          ExitCode.FAILED,
          "%s %s cannot be used with '%s': it has no %s"
              .formatted(
                  kind.name(),
                  kind.nameOf(values),
                  operation.text(),
                  String.join(" and no ", missing)));
    }
    return template.expand(values);
  }

  UriTemplate template(Kind kind, Operation operation) {
    return kind.route(operation).orElseThrow(() -> without(kind, operation));
  }

  /** Says why the kind does not take the operation, and which kinds do. */
  Failure without(Kind kind, Operation operation) {
    return new Failure(
        ExitCode.USAGE,
        "the server has no '%s' for %s".formatted(operation.text(), kind.plural()),
        kind.instead().getOrDefault(operation, ""),
        "It has it for: "
            + String.join(
                ", ",
                table.kinds().stream()
                    .filter(k -> takes(k, operation))
                    .map(Kind::plural)
                    .toList()));
  }

  private static boolean takes(Kind kind, Operation operation) {
    return operation == Operation.WAIT
        ? kind.verbs().contains(operation.text())
        : kind.route(operation).isPresent();
  }

  /** The kind of which one word alone names an object. */
  Kind alone() {
    return table
        .alone()
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.USAGE,
                    "this server has no kind whose objects are named by one word",
                    "Write a kind and a name."));
  }

  /** At most so many objects of the kind; the values fill in the variables of its list. */
  List<Map<String, Object>> list(Kind kind, Map<String, Object> values, int most)
      throws InterruptedException {
    return api.list(address(kind, Operation.LIST, values), Map.of(), most);
  }

  /** The object that a person means by that name. */
  Map<String, Object> named(Kind kind, String name, String environment)
      throws InterruptedException {
    Optional<Map<String, Object>> found = sought(kind, name, environment);
    if (found.isPresent()) {
      return found.get();
    }
    Map<String, Object> values = Api.query(kind.key(), name, "environment", environment);
    if (kind.labels().isEmpty() && kind.route(Operation.GET).isPresent()) {
      // repeats the call for the server's own words
      return api.get(address(kind, Operation.GET, values));
    }
    throw new Failure(
        ExitCode.FAILED,
        "there is no " + kind.name() + " '" + name + "'" + in(kind, environment),
        nearest(kind, name, environment),
        kind.labels().isEmpty()
            ? ""
            : "Name it as " + kind.nameForm() + ", or by its " + kind.key() + ".",
        "See what there is: " + Hints.command() + " get " + kind.plural());
  }

  /** The same; empty when there is none. */
  Optional<Map<String, Object>> sought(Kind kind, String name, String environment)
      throws InterruptedException {
    Optional<Map<String, Object>> found =
        isLabel(kind, name)
            ? Optional.empty()
            : byKey(kind, Api.query(kind.key(), name, "environment", environment));
    return found.isEmpty() && (isLabel(kind, name) || kind.labels().size() == 1)
        ? byLabels(kind, name, environment)
        : found;
  }

  /** {@code shop/db}, where an id has no slash. */
  private static boolean isLabel(Kind kind, String name) {
    return kind.labels().size() > 1 && name.split("/", -1).length == kind.labels().size();
  }

  /** As it is now; empty when it is gone. */
  Optional<Map<String, Object>> byKey(Kind kind, Map<String, Object> object)
      throws InterruptedException {
    if (kind.route(Operation.GET).isPresent()) {
      return api.find(address(kind, Operation.GET, object));
    }
    return list(kind, Map.of(), MOST).stream()
        .filter(row -> kind.keyOf(row).equals(kind.keyOf(object)))
        .findFirst();
  }

  private Optional<Map<String, Object>> byLabels(Kind kind, String name, String environment)
      throws InterruptedException {
    List<Map<String, Object>> found =
        likely(kind, name, environment).stream()
            .filter(row -> kind.nameOf(row).equals(name))
            .toList();
    if (found.size() > 1) {
      throw new Failure(
          ExitCode.FAILED,
          found.size() + " " + kind.plural() + " are named '" + name + "'",
          "Use the "
              + kind.key()
              + ": "
              + String.join(", ", found.stream().map(kind::keyOf).toList()));
    }
    if (found.isEmpty() || kind.route(Operation.GET).isEmpty()) {
      return found.stream().findFirst();
    }
    return byKey(kind, found.getFirst());
  }

  private String nearest(Kind kind, String name, String environment) throws InterruptedException {
    String hint =
        Nearest.hintOrList(
            name, likely(kind, name, environment).stream().map(kind::nameOf).toList());
    return hint == null ? "" : hint;
  }

  /** What the filters of the list leave when they are given the parts of that name. */
  private List<Map<String, Object>> likely(Kind kind, String name, String environment)
      throws InterruptedException {
    Map<String, Object> filters = new LinkedHashMap<>(Map.of("environment", environment));
    if (isLabel(kind, name)) {
      String[] parts = name.split("/", -1);
      for (int i = 0; i < parts.length; i++) {
        String filter = kind.labels().get(i).filter();
        if (filter != null) {
          filters.put(filter, parts[i]);
        }
      }
    }
    return list(kind, filters, MOST).stream()
        .filter(row -> environment.equals(row.getOrDefault("environment", environment)))
        .toList();
  }

  /** {@code in staging}, for kinds that live in environments. */
  static String in(Kind kind, String environment) {
    return switch (kind.scope()) {
      case ENVIRONMENT -> " in " + environment;
      case INSTALLATION -> "";
    };
  }
}
