package dev.slipway.engine.workflow;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the templates and conditions of one step can see. Secrets in it are open, so it never leaves
 * the execution of a step.
 *
 * @param parameters bound values; an optional one without a value is there as null
 * @param steps the finished steps; what is not here has not run
 * @param context {@code application, environment, resource, team, user, run, provider, policies,
 *     previous}, for placeholders also {@code resources} and {@code metadata}; {@code app} is the
 *     old spelling of {@code application}
 * @param outputs the resource's current outputs
 * @param config the provider's configuration
 * @param env the step's environment variables, rendered
 * @param now the time that templates see, one per run
 */
public record Scope(
    Map<String, Object> parameters,
    Map<String, StepOutcome> steps,
    Map<String, Object> variables,
    Map<String, Object> context,
    Map<String, Object> outputs,
    Map<String, Object> config,
    Map<String, String> env,
    Instant now) {

  /** Stored contexts, also those of earlier releases, hold the application as {@code app}. */
  public Scope {
    if (context.containsKey("app") && !context.containsKey("application")) {
      context = new LinkedHashMap<>(context);
      context.put("application", context.get("app"));
    }
  }

  /** Sees these parameters and nothing else. */
  public static Scope of(Map<String, Object> parameters, Instant now) {
    return new Scope(parameters, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), now);
  }

  /** What defaults of parameters can see: no parameters yet, and no steps. */
  public static Scope forBinding(
      Map<String, Object> context,
      Map<String, Object> outputs,
      Map<String, Object> config,
      Instant now) {
    return new Scope(Map.of(), Map.of(), Map.of(), context, outputs, config, Map.of(), now);
  }

  public Scope withParameters(Map<String, Object> values) {
    return new Scope(values, steps, variables, context, outputs, config, env, now);
  }

  public Scope withSteps(Map<String, StepOutcome> finished) {
    return new Scope(parameters, finished, variables, context, outputs, config, env, now);
  }

  public Scope withVariables(Map<String, Object> values) {
    return new Scope(parameters, steps, values, context, outputs, config, env, now);
  }

  public Scope withContext(Map<String, Object> values) {
    return new Scope(parameters, steps, variables, values, outputs, config, env, now);
  }

  public Scope withEnv(Map<String, String> values) {
    return new Scope(parameters, steps, variables, context, outputs, config, values, now);
  }

  /** The roots of templates: {@code .parameters .steps .variables .context .outputs .config}. */
  Map<String, Object> data() {
    Map<String, Object> roots = new LinkedHashMap<>();
    roots.put("parameters", parameters);
    Map<String, Object> seen = new LinkedHashMap<>();
    steps.forEach((name, outcome) -> seen.put(name, seen(outcome)));
    roots.put("steps", seen);
    roots.put("variables", variables);
    roots.put("context", context);
    roots.put("outputs", outputs);
    roots.put("config", config);
    return roots;
  }

  private static Map<String, Object> seen(StepOutcome outcome) {
    Map<String, Object> step = new LinkedHashMap<>();
    Map<String, Object> outputs = visible(outcome);
    step.put("output", outputs);
    step.put("outputs", outputs);
    step.put("status", outcome.state().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
    step.put("success", outcome.is(StepEnding.SUCCESS));
    step.put("failed", outcome.is(StepEnding.FAILED));
    step.put("skipped", outcome.is(StepEnding.SKIPPED));
    return step;
  }

  /** Outputs of a step that did not succeed are null, whatever they are called. */
  static Map<String, Object> visible(StepOutcome outcome) {
    return outcome.is(StepEnding.SUCCESS)
        ? outcome.outputs()
        : new NullWhereMissing(outcome.outputs());
  }
}
