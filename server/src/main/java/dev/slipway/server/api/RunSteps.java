package dev.slipway.server.api;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.overview.RunView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All steps of a run with their types, in order, pending ones included. */
final class RunSteps {
  private final Map<String, String> types;
  private final Map<String, RunView.Step> begun = new LinkedHashMap<>();

  private RunSteps(Map<String, String> types, RunView run) {
    this.types = types;
    run.steps().forEach(step -> begun.put(step.name(), step));
  }

  /** The steps of that run; without its workflow only those that have begun are known. */
  static RunSteps of(RunView run, Optional<Workflow> workflow) {
    Map<String, String> types = new LinkedHashMap<>();
    boolean rollback = run.kind() == NewRun.Kind.ROLLBACK;
    workflow.ifPresent(
        w -> {
          Map<String, String> undoing = undoing(w);
          run.undoing().forEach(name -> types.put(name, undoing.getOrDefault(name, "unknown")));
          if (!rollback) {
            w.steps().forEach(step -> types.put(step.name(), step.type()));
          }
        });
    return new RunSteps(types, run);
  }

  private static Map<String, String> undoing(Workflow workflow) {
    Map<String, String> types = new LinkedHashMap<>();
    for (Step step : workflow.steps()) {
      Stream.concat(step.onError().rollbackSteps().stream(), step.compensate().stream())
          .forEach(undo -> types.put(step.name() + "/" + undo.name(), undo.type()));
    }
    return types;
  }

  Set<String> names() {
    return types.keySet();
  }

  List<Map<String, Object>> view() {
    List<Map<String, Object>> steps = new ArrayList<>();
    types.forEach((name, type) -> steps.add(step(name, type, begun.get(name))));
    begun.forEach(
        (name, step) -> {
          if (!types.containsKey(name)) {
            steps.add(step(name, "unknown", step));
          }
        });
    return steps;
  }

  private static Map<String, Object> step(String name, String type, RunView.@Nullable Step step) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", name);
    out.put("type", type);
    out.put("status", (step == null ? StepState.PENDING : step.status()).text());
    out.put("attempt", step == null ? 1 : step.attempt());
    if (step != null) {
      out.put("waitingFor", step.waitingFor());
      out.put("wakeAt", step.wakeAt());
      out.put("error", step.error());
      out.put("outputs", step.outputs());
      out.put("carried", step.carried());
      out.put("startedAt", step.startedAt());
      out.put("completedAt", step.finishedAt());
      out.put("durationMs", RunViews.millis(step.startedAt(), step.finishedAt()));
      out.put("attempts", step.attempts());
      out.values().removeIf(Objects::isNull);
    }
    return out;
  }
}
