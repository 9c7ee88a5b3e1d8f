package dev.slipway.applications.simulate;

import dev.slipway.applications.simulate.Simulation.Called;
import dev.slipway.applications.simulate.Simulation.RehearsedStep;
import dev.slipway.applications.simulate.Simulation.Verdict;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepOutcome;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Goes through the steps of one workflow with the values that are known. */
final class Rehearsal {
  private final Rendering rendering;
  private final Workflow workflow;
  private final Map<String, StepOutcome> skipped = new LinkedHashMap<>();
  private final Map<String, StepOutcome> outcomes = new LinkedHashMap<>();
  private final Map<String, Integer> waves = new HashMap<>();
  private final Callees callees;
  private final Callees.Caller caller;
  private final Scope scope;

  /** The caller's scope has everything but variables and steps. */
  Rehearsal(Rendering rendering, Workflow workflow, Callees callees, Callees.Caller caller) {
    this.rendering = rendering;
    this.workflow = workflow;
    this.callees = callees;
    this.caller = caller;
    this.scope = caller.scope().withVariables(variables(caller.scope()));
  }

  private Map<String, Object> variables(Scope start) {
    Map<String, Object> set = new LinkedHashMap<>();
    try {
      set.putAll(rendering.variables(workflow, start));
    } catch (RenderingException e) {
      set.putAll(workflow.variables());
    }
    for (Step step : workflow.steps()) {
      for (String name : step.setVariables().keySet()) {
        set.put(name, "<steps." + step.name() + " sets " + name + ">");
      }
    }
    return set;
  }

  List<RehearsedStep> steps() {
    List<RehearsedStep> steps = new ArrayList<>();
    for (Step step : workflow.steps()) {
      RehearsedStep one = rehearse(step);
      steps.add(one);
      StepOutcome skip = new StepOutcome(StepState.SKIPPED, Map.of());
      if (one.runs() == Verdict.NO) {
        skipped.put(step.name(), skip);
      }
      outcomes.put(
          step.name(),
          one.runs() == Verdict.NO
              ? skip
              : new StepOutcome(
                  StepState.SUCCEEDED, new Unknown("steps." + step.name() + ".output")));
    }
    return steps;
  }

  /** What the workflow would leave, once its steps have been gone through. */
  Map<String, @Nullable Object> outputs() {
    Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
    workflow
        .outputs()
        .forEach(
            (name, output) ->
                outputs.put(
                    name,
                    output.secrecy() == Workflow.Secrecy.SECRET
                        ? "***"
                        : value(output.value(), scope.withSteps(outcomes))));
    return Masking.byName(outputs);
  }

  private RehearsedStep rehearse(Step step) {
    int wave =
        1 + step.dependsOn().stream().mapToInt(d -> waves.getOrDefault(d, 0)).max().orElse(0);
    waves.put(step.name(), wave);
    Scope seen = scope.withSteps(outcomes);
    Map<String, @Nullable Object> env = new LinkedHashMap<>();
    step.env().forEach((name, text) -> env.put(name, value(text, seen)));
    StepForecast.Judged judged = new StepForecast(scope, outcomes, skipped).judge(step);
    return new RehearsedStep(
        step.name(),
        step.type(),
        wave,
        step.dependsOn(),
        judged.runs(),
        judged.why(),
        config(step, seen),
        Masking.byName(env),
        judged.runs() == Verdict.NO ? null : called(step, seen));
  }

  private @Nullable Called called(Step step, Scope seen) {
    return step.subWorkflow()
        .flatMap(
            sub -> callees.call(caller, sub.reference(), Values.map(value(sub.parameters(), seen))))
        .orElse(null);
  }

  private Map<String, @Nullable Object> config(Step step, Scope seen) {
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    step.config()
        .forEach(
            (name, written) -> {
              try {
                config.put(name, readable(rendering.field(step, name, seen)));
              } catch (RenderingException e) {
                config.put(name, written);
              }
            });
    step.subWorkflow()
        .ifPresent(
            sub -> {
              config.put("workflow", sub.reference());
              config.put("parameters", value(sub.parameters(), seen));
            });
    return Masking.byName(config);
  }

  private @Nullable Object value(@Nullable Object written, Scope seen) {
    try {
      return rendering.value(written, seen);
    } catch (RenderingException e) {
      return written;
    }
  }

  private static @Nullable Object readable(@Nullable Object value) {
    return switch (value) {
      case RenderedManifest manifest -> manifest.readable();
      case RenderedScript script -> script.readable();
      case RenderedSql sql -> sql.readable();
      case List<?> list -> list.stream().map(Rehearsal::readable).collect(Values.toList());
      case null, default -> value;
    };
  }
}
