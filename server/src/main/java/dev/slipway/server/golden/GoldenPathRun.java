package dev.slipway.server.golden;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the run of a golden path out of what the caller sent: checked first, secrets sealed. */
public final class GoldenPathRun {
  private final SecretBox box;
  private final AdminConfig config;

  public GoldenPathRun(SecretBox box, AdminConfig config) {
    this.box = box;
    this.config = config;
  }

  /** Who requests the run, for which team and environment, with which parameters. */
  public record Order(
      UUID id,
      String user,
      String team,
      String environment,
      Map<String, Object> parameters,
      ParameterBinding.Words words,
      @Nullable Object spec,
      Instant now) {}

  /** A run to be made, or why there is none. */
  public sealed interface Prepared {
    record Ready(NewRun run) implements Prepared {}

    record Refused(List<ParameterBinding.Problem> problems) implements Prepared {}
  }

  public Prepared prepare(GoldenPath path, Order order) {
    Map<String, Object> params = new LinkedHashMap<>(path.defaults());
    params.putAll(order.parameters());
    Map<String, Object> context = context(path, order);
    Scope scope =
        Scope.forBinding(context, Map.of(), path.definition().configuration(), order.now());
    Map<String, Object> injected = new LinkedHashMap<>();
    injected.put("environment", order.environment());
    injected.put("team_id", order.team());
    ParameterBinding.Bound bound =
        ParameterBinding.bind(
            path.workflow(),
            new ParameterBinding.Sources(params, injected, Map.of(), order.words()),
            scope);
    List<ParameterBinding.Problem> problems = new ArrayList<>(reserved(params));
    problems.addAll(bound.problems());
    for (String required : path.required()) {
      if (bound.values().get(required) == null
          && problems.stream().noneMatch(p -> p.parameter().equals(required))) {
        problems.add(
            new ParameterBinding.Problem(
                "missing-parameter", required, "the parameter is required", null));
      }
    }
    if (!problems.isEmpty()) {
      return new Prepared.Refused(problems);
    }
    return new Prepared.Ready(run(path, order, context, sealed(bound)));
  }

  private static List<ParameterBinding.Problem> reserved(Map<String, Object> params) {
    return ReservedParameters.IDENTITY.stream()
        .filter(params::containsKey)
        .map(
            name ->
                new ParameterBinding.Problem(
                    ReservedParameters.CODE,
                    name,
                    "the engine sets '" + name + "'; a caller cannot",
                    "Remove it, or have the workflow declare a parameter of another name."))
        .toList();
  }

  private NewRun run(
      GoldenPath path, Order order, Map<String, Object> context, Map<String, Object> parameters) {
    return new NewRun(
        order.id(),
        NewRun.Kind.GOLDEN_PATH,
        path.definition(),
        null,
        NewRun.Subject.NONE,
        new NewRun.Tenancy(order.environment(), order.team()),
        NewRun.Origin.NONE,
        new NewRun.Inputs(parameters, context, Map.of()),
        new NewRun.Creation(order.user(), order.now()),
        config.workflowPolicies().maxWorkflowDuration());
  }

  private Map<String, Object> sealed(ParameterBinding.Bound bound) {
    return Values.map(
        box.sealLeaves(
            bound.values(),
            (path, value) ->
                bound.secrets().contains(path.replaceAll("\\..*", ""))
                    || Secrets.nameSaysSecret(path.replaceAll(".*\\.", ""))));
  }

  private Map<String, Object> context(GoldenPath path, Order order) {
    Map<String, Object> context = new LinkedHashMap<>();
    context.put("environment", Map.of("name", order.environment()));
    context.put("team", order.team());
    context.put("user", order.user());
    context.put("run", order.id().toString());
    context.put("provider", path.definition().provider());
    context.put("goldenPath", path.name());
    context.put("policies", config.policies().inTemplates());
    // Also when there is none, so that a template can ask for it.
    context.put("spec", order.spec());
    return context;
  }
}
