package dev.slipway.cli;

import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The runs that a run is linked to: its parent, its rollback, the runs that it called. */
record RunRelations(Map<String, Object> run) {
  /** In a word or two, for a row of a list. */
  String shortly() {
    String parent = String.valueOf(run.get("parentRunId"));
    return switch (String.valueOf(run.get("kind"))) {
      case "child" -> "step " + run.get("parentStep") + " of " + parent;
      case "rollback" -> "rollback of " + parent;
      default -> run.get("parentRunId") == null ? "-" : "retry of " + parent;
    };
  }

  /** In sentences, each with where to look next. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (run.get("parentRunId") != null) {
      lines.add("This is the " + shortly() + ".");
    }
    for (Map<String, Object> child : Api.items(run.get("children"))) {
      lines.add(
          "Step %s called %s/%s: %s. Look at it: slipway run show %s"
              .formatted(
                  child.get("step"),
                  child.get("provider"),
                  child.get("workflow"),
                  child.get("status"),
                  child.get("id")));
    }
    if (run.get("rollback") != null) {
      rollback(Values.map(run.get("rollback")), lines);
    }
    return lines;
  }

  private static void rollback(Map<String, Object> rollback, List<String> lines) {
    lines.add(
        "Rollback: "
            + rollback.get("status")
            + (rollback.get("runId") == null
                ? "; there was nothing to undo."
                : ". Look at it: slipway run show " + rollback.get("runId")));
    for (Map<String, Object> step : Api.items(rollback.get("notUndone"))) {
      Object error = step.get("error");
      lines.add(
          "Not undone: "
              + step.get("step")
              + ": "
              + (error == null ? step.get("status") : Values.map(error).get("message")));
    }
  }
}
