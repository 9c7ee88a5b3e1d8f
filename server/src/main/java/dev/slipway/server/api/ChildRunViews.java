package dev.slipway.server.api;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.postgres.overview.RunView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The runs that a run created: children of its steps, and its rollback. */
record ChildRunViews(RunView run) {
  List<Map<String, Object>> children() {
    return run.made().stream()
        .filter(made -> made.kind() == NewRun.Kind.CHILD)
        .map(ChildRunViews::child)
        .toList();
  }

  private static Map<String, Object> child(RunView.Made made) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", made.id());
    out.put("step", made.step());
    out.put("attempt", made.attempt());
    out.put("provider", made.provider());
    out.put("workflow", made.workflow());
    out.put("status", made.status().text());
    out.put("error", made.error());
    out.put("startedAt", made.startedAt());
    out.put("completedAt", made.completedAt());
    out.put("durationMs", RunViews.millis(made.startedAt(), made.completedAt()));
    out.values().removeIf(Objects::isNull);
    return out;
  }

  /**
   * The state of the rollback, its run, and the steps that could not be undone with the reasons.
   */
  Optional<Map<String, Object>> rollback() {
    if (run.rollback() == null) {
      return Optional.empty();
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("status", run.rollback().text());
    run.made().stream()
        .filter(made -> made.kind() == NewRun.Kind.ROLLBACK)
        .reduce((earlier, newest) -> newest)
        .ifPresent(
            made -> {
              out.put("runId", made.id());
              out.put("notUndone", notUndone(made));
            });
    return Optional.of(out);
  }

  private static List<Map<String, Object>> notUndone(RunView.Made rollback) {
    List<Map<String, Object>> steps = new ArrayList<>();
    for (RunView.Step step : rollback.steps()) {
      if (step.status() == StepState.FAILED || step.status() == StepState.CANCELLED) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("step", step.name());
        out.put("status", step.status().text());
        out.put("error", step.error());
        out.values().removeIf(Objects::isNull);
        steps.add(out);
      }
    }
    return steps;
  }
}
