package dev.slipway.cli;

import dev.slipway.engine.plan.Change;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A simulation as a tree: resources, their steps, and what these would be given. */
final class SimulationText {
  private static final int MANY_LINES = 24;

  /** What is said about a call by the workflow that it runs. */
  private static final Set<String> CALL = Set.of("workflow", "parameters");

  /** Where the value of a parameter comes from; one that is not known is shown as it is written. */
  private enum Origin {
    PARAMS,
    INJECTED,
    OUTPUTS,
    DEFAULT,
    NOWHERE,
    NAMED
  }

  /** Whether a step would run. */
  private enum Runs {
    YES,
    NO,
    UNKNOWN,
    ON_FAILURE
  }

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
      if (Choice.of(Change.class, item.get("change")).equals(Optional.of(Change.NO_OP))) {
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
    return switch (Choice.of(Operation.class, work.get("operation")).orElse(Operation.UPDATE)) {
      case CREATE -> "+";
      case DELETE -> "-";
      case UPDATE, READ -> "~";
    };
  }

  private void parameter(String indent, Map<String, Object> parameter) {
    String from = String.valueOf(parameter.get("from"));
    String words =
        switch (Choice.of(Origin.class, from).orElse(Origin.NAMED)) {
          case NOWHERE -> "not set";
          case PARAMS -> "from params";
          case OUTPUTS -> "from the outputs so far";
          case INJECTED, DEFAULT, NAMED -> from;
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
    Runs runs = Choice.of(Runs.class, step.get("runs")).orElse(Runs.ON_FAILURE);
    Ink ink =
        switch (runs) {
          case YES -> Ink.PLAIN;
          case UNKNOWN -> Ink.WARN;
          case NO, ON_FAILURE -> Ink.DIM;
        };
    String mark =
        switch (runs) {
          case YES -> "";
          case NO -> "  skipped";
          case UNKNOWN -> "  perhaps";
          case ON_FAILURE -> "  not now";
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
    if (runs != Runs.NO) {
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
