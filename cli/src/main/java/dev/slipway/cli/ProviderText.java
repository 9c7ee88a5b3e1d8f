package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A provider as people read it. */
final class ProviderText {
  private final Screen screen;
  private final List<String> lines = new ArrayList<>();

  ProviderText(Screen screen) {
    this.screen = screen;
  }

  List<String> lines(Map<String, Object> provider) {
    lines.add(
        screen.paint(Ink.BOLD, provider.get("name") + " " + provider.get("version"))
            + (Table.text(provider.get("description")).equals("-")
                ? ""
                : "  " + provider.get("description")));
    lines.add("source    " + provider.get("source"));
    if (provider.get("commit") != null) {
      lines.add("commit    " + provider.get("commit"));
    }
    if (provider.get("git") instanceof Map<?, ?> git) {
      lines.addAll(fetched(git));
    }
    if (provider.get("precedence") != null) {
      lines.add(
          "service   "
              + provider.get("status")
              + ", precedence "
              + provider.get("precedence")
              + ", team "
              + provider.get("team"));
    }
    contract(Values.map(provider.getOrDefault("compatibility", Map.of())));
    lines.add("");
    types(Api.items(provider.get("types")));
    Api.items(provider.get("workflows")).forEach(this::workflow);
    problems(provider);
    return lines;
  }

  private void contract(Map<String, Object> versions) {
    if (!versions.isEmpty()) {
      lines.add(
          "contract  "
              + versions.getOrDefault("minCoreVersion", "any")
              + " to "
              + versions.getOrDefault("maxCoreVersion", "any"));
    }
  }

  private void types(List<Map<String, Object>> types) {
    Table table =
        new Table()
            .column(
                "TYPE",
                t ->
                    t.get("aliasFor") == null
                        ? Table.text(t.get("type"))
                        : t.get("type") + " = " + t.get("aliasFor"))
            .column("CREATE", t -> operation(t, "create"))
            .column("READ", t -> operation(t, "read"))
            .column("UPDATE", t -> operation(t, "update"))
            .column("DELETE", t -> operation(t, "delete"))
            .column(
                "WHEN NOT WANTED",
                t ->
                    t.get("deletionPolicy") == null
                        ? "delete"
                        : Table.text(t.get("deletionPolicy")));
    if (!types.isEmpty()) {
      lines.addAll(table.lines(types, Format.TABLE, screen));
    }
  }

  private static String operation(Map<String, Object> type, String operation) {
    List<Map<String, Object>> options =
        Api.items(Values.map(type.get("operations")).get(operation));
    return options.isEmpty()
        ? "-"
        : options.stream()
            .map(
                o ->
                    o.get("workflow")
                        + (o.get("tags") instanceof List<?> tags && !tags.isEmpty()
                            ? "(" + Table.text(tags) + ")"
                            : ""))
            .collect(Collectors.joining(" or "));
  }

  private void workflow(Map<String, Object> workflow) {
    lines.add("");
    String kind = "golden-path".equals(workflow.get("category")) ? "golden path " : "";
    lines.add(
        screen.paint(Ink.BOLD, kind + workflow.get("name"))
            + (Table.text(workflow.get("description")).equals("-")
                ? ""
                : "  " + workflow.get("description")));
    List<Map<String, Object>> parameters = Api.items(workflow.get("parameters"));
    if (!parameters.isEmpty()) {
      parameters().lines(parameters, Format.TABLE, screen).forEach(line -> lines.add("  " + line));
    }
    lines.add(
        "  steps    " + names(workflow, "steps", s -> s.get("name") + " [" + s.get("type") + "]"));
    if (!Api.items(workflow.get("outputs")).isEmpty()) {
      lines.add(
          "  outputs  "
              + names(
                  workflow,
                  "outputs",
                  o -> o.get("name") + (Boolean.TRUE.equals(o.get("secret")) ? " (secret)" : "")));
    }
  }

  private static String names(
      Map<String, Object> workflow,
      String key,
      java.util.function.Function<Map<String, Object>, String> text) {
    return Api.items(workflow.get(key)).stream().map(text).collect(Collectors.joining(", "));
  }

  /** Parameters with what they may be. */
  static Table parameters() {
    return new Table()
        .column("PARAMETER", "name")
        .column("TYPE", "type")
        .column("DEFAULT", ProviderText::value)
        .column("MUST BE", ProviderText::constraints)
        .column("MEANING", "description");
  }

  private static String value(Map<String, Object> parameter) {
    if (Boolean.TRUE.equals(parameter.get("required"))) {
      return "required";
    }
    Object otherwise = parameter.get("default");
    return otherwise == null ? "-" : otherwise instanceof String s ? s : Json.write(otherwise);
  }

  /** In words: {@code one of small, large; at most 3}. */
  static String constraints(Map<String, Object> parameter) {
    List<String> all = new ArrayList<>();
    if (parameter.get("allowed") instanceof List<?> allowed) {
      all.add("one of " + allowed.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
    if (parameter.get("pattern") != null) {
      all.add("like " + parameter.get("pattern"));
    }
    if (parameter.get("min") != null) {
      all.add("at least " + parameter.get("min"));
    }
    if (parameter.get("max") != null) {
      all.add("at most " + parameter.get("max"));
    }
    if (Boolean.TRUE.equals(parameter.get("secret"))) {
      all.add("secret");
    }
    return all.isEmpty() ? "-" : String.join("; ", all);
  }

  private void problems(Map<String, Object> provider) {
    for (Map<String, Object> conflict : Api.items(provider.get("conflicts"))) {
      lines.add(screen.paint(Ink.BAD, "conflict: " + conflict.get("message")));
    }
    for (Map<String, Object> problem : Api.items(provider.get("problems"))) {
      lines.add(
          screen.paint(
              Ink.BAD, "problem: " + problem.get("kind") + ", " + problem.get("standing")));
      Api.items(problem.get("diagnostics"))
          .forEach(d -> lines.add("  " + ApiProblem.diagnostic(d)));
    }
  }

  /** When its repository was looked at, and the warnings about it. */
  private static List<String> fetched(Map<?, ?> git) {
    List<String> lines = new ArrayList<>();
    if (git.get("fetchedAt") != null) {
      Object next = git.get("nextPoll");
      lines.add("fetched   " + git.get("fetchedAt") + (next == null ? "" : ", next look " + next));
    }
    if (git.get("error") instanceof Map<?, ?> error) {
      lines.add("error     " + error.get("message") + ". " + error.get("hint"));
    }
    if (git.get("warnings") instanceof List<?> warnings) {
      warnings.forEach(warning -> lines.add("warning   " + warning));
    }
    return lines;
  }
}
