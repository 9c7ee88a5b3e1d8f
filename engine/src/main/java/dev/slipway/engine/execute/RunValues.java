package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.StepOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of one run with its secrets open, for as long as it executes. Holds every secret of
 * the run, and seals each value that contains one before it is stored.
 */
final class RunValues {
  private final SecretBox box;
  private final Map<String, Object> parameters;
  private final Map<String, Object> context;
  private final Map<String, Object> resourceOutputs;
  private final Map<String, Object> config;
  private final Instant now;
  private final Map<String, StepOutcome> steps = new LinkedHashMap<>();
  private Map<String, Object> variables;
  private Map<String, Object> sealedVariables;
  private Secrets secrets = Secrets.none();

  /** {@code granted} secrets are known from the start, and never stored with the run. */
  RunValues(
      SecretBox box,
      ClaimedRun run,
      Definitions.Parsed definition,
      Rendering rendering,
      Map<String, String> granted) {
    this.box = box;
    this.parameters = RunIdentity.of(run).over(open(run.inputs().parameters()));
    this.context = new LinkedHashMap<>(open(run.inputs().context()));
    this.context.put("secrets", granted);
    List<String> texts = new ArrayList<>();
    SecretTexts.collect(granted, texts);
    this.secrets = secrets.plus(texts);
    this.resourceOutputs = open(run.inputs().outputs());
    this.config = open(definition.snapshot().configuration());
    this.now = run.createdAt();
    this.variables = Map.of();
    Map<String, Object> all = new LinkedHashMap<>(begun(run, definition, rendering));
    all.putAll(run.variables());
    this.sealedVariables = all;
    this.variables = open(all);
    run.steps().forEach(this::learn);
  }

  /**
   * The variables that a run begins with: a rollback has those of the run that failed. For any
   * other the same parameters and the same time give the same variables.
   */
  private Map<String, Object> begun(
      ClaimedRun run, Definitions.Parsed definition, Rendering rendering) {
    NewRun.Undoing undoing = run.inputs().undoing();
    if (undoing == null) {
      return seal(rendering.variables(definition.workflow(), view()), Set.of());
    }
    undoing
        .steps()
        .forEach((name, o) -> steps.put(name, new StepOutcome(o.state(), open(o.outputs()))));
    return undoing.variables();
  }

  Secrets secrets() {
    return secrets;
  }

  Map<String, Object> sealedVariables() {
    return sealedVariables;
  }

  Scope view() {
    return new Scope(parameters, steps, variables, context, resourceOutputs, config, Map.of(), now);
  }

  /** Takes note of a step's outputs once it has ended. */
  void learn(StepRecord step) {
    if (step.state().finished()) {
      steps.put(step.name(), new StepOutcome(step.state(), open(step.outputs())));
    }
  }

  /** A view in which that step has ended so, before it is written. */
  Scope viewAfter(String step, StepState state, Map<String, Object> outputs) {
    Map<String, StepOutcome> all = new LinkedHashMap<>(steps);
    all.put(step, new StepOutcome(state, outputs));
    return new Scope(parameters, all, variables, context, resourceOutputs, config, Map.of(), now);
  }

  void variables(Map<String, Object> set) {
    Map<String, Object> all = new LinkedHashMap<>(sealedVariables);
    all.putAll(seal(set, Set.of()));
    sealedVariables = all;
    variables = open(all);
  }

  /** How sealed outputs of a look compare with what the resource had when the run was made. */
  Drift drift(Map<String, Object> outputs) {
    return Drift.between(resourceOutputs, open(outputs));
  }

  /** The outputs as they are stored. */
  Map<String, Object> seal(Map<String, Object> outputs, Set<String> secretNames) {
    know(outputs, secretNames);
    Object sealed =
        box.sealLeaves(
            outputs,
            (path, value) ->
                secretNames.contains(path.split("\\.", 2)[0])
                    || Secrets.nameSaysSecret(path.substring(path.lastIndexOf('.') + 1))
                    || value instanceof String text && secrets.embeds(text));
    return Values.map(sealed);
  }

  /** Takes note of what is secret among outputs, so that nothing that embeds it is shown. */
  void know(Map<String, Object> outputs, Set<String> secretNames) {
    List<String> found = new ArrayList<>();
    outputs.forEach(
        (name, value) -> {
          if (secretNames.contains(name)) {
            SecretTexts.collect(value, found);
          }
        });
    SecretTexts.named(outputs, found);
    if (!found.isEmpty()) {
      secrets = secrets.plus(found);
    }
  }

  /** The error without any secret in its message. */
  StepError masked(StepError error) {
    return new StepError(
        error.code(),
        secrets.mask(error.message()),
        error.kind(),
        error.hint() == null ? null : secrets.mask(error.hint()));
  }

  /** The tree with its secrets open; they are secrets of this run from now on. */
  Map<String, Object> open(@Nullable Map<String, Object> tree) {
    if (tree == null || tree.isEmpty()) {
      return Map.of();
    }
    List<String> found = new ArrayList<>();
    Object opened =
        Values.mapLeaves(
            tree,
            leaf -> {
              if (!(leaf instanceof Sealed sealed)) {
                return leaf;
              }
              Object value = box.open(sealed);
              SecretTexts.collect(value, found);
              return value;
            });
    if (!found.isEmpty()) {
      secrets = secrets.plus(found);
    }
    return Values.map(opened);
  }
}
