package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A simulation as a tree: resources, their steps, and what these would be given. */
final class SimulationText {
  private static final int MANY_LINES = 24;

  /** What is said about a call by the workflow that it runs. */
  private static final Set<String> CALL = Set.of("workflow", "parameters");

  private final Screen screen;
  private final List<String> lines = new ArrayList<>();

  SimulationText(Screen screen) {
    this.screen = screen;
  }

  List<String> lines(Map<String, Object> simulation) {
    Map<String, Object> plan = Values.map(simulation.get("plan"));
    lines.add(
        screen.paint(
            Ink.BOLD,
            "Deploying "
                + plan.get("application")
                + " to "
                + plan.get("environment")
                + " would run:"));
    Api.items(plan.get("warnings"))
        .forEach(w -> lines.add(screen.paint(Ink.WARN, ApiProblem.diagnostic(w))));
    Api.items(simulation.get("work")).forEach(this::work);
    for (Map<String, Object> item : Api.items(plan.get("items"))) {
      if ("no-op".equals(item.get("change"))) {
        Object note = item.get("note");
        lines.add(
            screen.paint(
                Ink.DIM,
                "= "
                    + item.get("name")
                    + " ("
                    + item.get("type")
                    + ") "
                    + (note == null ? "stays as it is" : note)));
      }
    }
    approvals(Api.items(simulation.get("approvals")));
    lines.add("Nothing was run and nothing was changed.");
    return lines;
  }

  private void work(Map<String, Object> work) {
    lines.add(
        screen.paint(Ink.GOOD, sign(work) + " " + work.get("resource"))
            + " ("
            + work.get("type")
            + ")  "
            + work.get("operation")
            + " by "
            + work.get("provider")
            + "/"
            + work.get("workflow")
            + screen.paint(Ink.DIM, "  version " + work.get("providerVersion")));
    List<Map<String, Object>> parameters = Api.items(work.get("parameters"));
    if (!parameters.isEmpty()) {
      lines.add("│  parameters");
      parameters.forEach(p -> parameter("│    ", p));
    }
    Api.items(work.get("steps")).forEach(step -> step("", step));
    Map<String, Object> outputs = Values.map(work.getOrDefault("outputs", Map.of()));
    if (!outputs.isEmpty()) {
      lines.add("└─ outputs");
      outputs.forEach((name, value) -> field("     ", name, value));
    }
  }

  private static String sign(Map<String, Object> work) {
    return switch (String.valueOf(work.get("operation"))) {
      case "create" -> "+";
      case "delete" -> "-";
      default -> "~";
    };
  }

  private void parameter(String indent, Map<String, Object> parameter) {
    String from = String.valueOf(parameter.get("from"));
    String words =
        switch (from) {
          case "nowhere" -> "not set";
          case "params" -> "from params";
          case "outputs" -> "from the outputs so far";
          default -> from;
        };
    lines.add(
        indent
            + parameter.get("name")
            + ": "
            + text(parameter.get("value"))
            + "  "
            + screen.paint(Ink.DIM, "(" + words + ")"));
  }

  private void step(String indent, Map<String, Object> step) {
    String runs = String.valueOf(step.get("runs"));
    Ink ink =
        switch (runs) {
          case "yes" -> Ink.PLAIN;
          case "unknown" -> Ink.WARN;
          default -> Ink.DIM;
        };
    String mark =
        switch (runs) {
          case "yes" -> "";
          case "no" -> "  skipped";
          case "unknown" -> "  perhaps";
          default -> "  not now";
        };
    String why = step.get("why") == null ? "" : ": " + step.get("why");
    lines.add(
        indent
            + "├─ "
            + step.get("wave")
            + ". "
            + screen.paint(ink, String.valueOf(step.get("name")))
            + " ["
            + step.get("type")
            + "]"
            + screen.paint(ink, mark + (mark.isEmpty() ? why.replaceFirst("^: ", "  ") : why)));
    if (!runs.equals("no")) {
      String below = indent + "│    ";
      Map<String, Object> calls = Values.map(step.getOrDefault("calls", Map.of()));
      Values.map(step.getOrDefault("config", Map.of()))
          .forEach(
              (name, value) -> {
                if (calls.isEmpty() || !CALL.contains(name)) {
                  field(below, name, value);
                }
              });
      Values.map(step.getOrDefault("env", Map.of()))
          .forEach((name, value) -> field(below, "env." + name, value));
      if (!calls.isEmpty()) {
        called(below, calls);
      }
    }
  }

  /** What a step runs instead of doing something itself, below it. */
  private void called(String indent, Map<String, Object> calls) {
    lines.add(
        indent
            + "runs "
            + calls.get("provider")
            + "/"
            + calls.get("workflow")
            + screen.paint(Ink.DIM, "  version " + calls.get("providerVersion")));
    Api.items(calls.get("parameters")).forEach(p -> parameter(indent + "│    ", p));
    List<Map<String, Object>> steps = Api.items(calls.get("steps"));
    steps.forEach(step -> step(indent, step));
    if (steps.isEmpty()) {
      lines.add(indent + "└─ its steps are not shown: the simulation is too large");
    }
  }

  private void field(String indent, String name, Object value) {
    if (value instanceof String text && text.strip().contains("\n")) {
      lines.add(indent + name + ":");
      List<String> all = text.stripTrailing().lines().toList();
      all.stream()
          .limit(MANY_LINES)
          .forEach(line -> lines.add(indent + "  " + screen.paint(Ink.DIM, line)));
      if (all.size() > MANY_LINES) {
        lines.add(indent + "  … " + (all.size() - MANY_LINES) + " more lines (-o json has all)");
      }
    } else {
      lines.add(indent + name + ": " + text(value));
    }
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : Json.write(value);
  }

  private void approvals(List<Map<String, Object>> approvals) {
    for (Map<String, Object> each : approvals) {
      String where =
          each.get("resource") == null
              ? "before anything runs"
              : "by step " + each.get("step") + " of " + each.get("resource");
      String perhaps = "unknown".equals(each.get("asked")) ? "perhaps " : "";
      lines.add(
          screen.paint(
              Ink.WARN,
              "! " + perhaps + "an approval is asked for " + where + ": " + each.get("why")));
    }
  }
}
