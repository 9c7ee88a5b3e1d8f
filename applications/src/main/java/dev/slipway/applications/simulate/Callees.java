package dev.slipway.applications.simulate;

import dev.slipway.applications.simulate.Simulation.Called;
import dev.slipway.applications.simulate.Simulation.Input;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution.Component;
import dev.slipway.engine.resolve.Resolution.Definition;
import dev.slipway.engine.resolve.SubWorkflows;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workflows that steps call, gone through with what these would be given. */
final class Callees {
  /** Calls of workflows multiply, so a simulation shows at most this many steps of callees. */
  private static final int MOST_STEPS = 2_000;

  private final Registry registry;
  private final Rendering rendering;
  private int shown;

  Callees(Registry registry, Rendering rendering) {
    this.registry = registry;
    this.rendering = rendering;
  }

  /** A step that calls: whose it is, how deep, and what is known there. */
  record Caller(String provider, int depth, Scope scope) {}

  /** What calling that with these parameters would run; nothing when it is not there. */
  Optional<Called> call(
      Caller caller, String reference, Map<String, ? extends @Nullable Object> parameters) {
    return caller.depth() > SubWorkflows.DEEPEST
        ? Optional.empty()
        : find(Component.key(caller.provider(), reference))
            .map(definition -> rehearse(caller, definition, parameters));
  }

  private Optional<Definition> find(String key) {
    int slash = key.indexOf('/');
    return registry
        .provider(key.substring(0, slash))
        .map(provider -> provider.definitions().get(key.substring(slash + 1)));
  }

  private Called rehearse(
      Caller caller, Definition definition, Map<String, ? extends @Nullable Object> parameters) {
    Scope start = start(caller.scope(), definition);
    Map<String, Object> injected = new LinkedHashMap<>(caller.scope().parameters());
    injected.keySet().retainAll(ParameterBinding.INJECTED);
    Inputs inputs =
        new Inputs(
            definition.workflow(), Masking.byName(parameters), injected, caller.scope().outputs());
    List<Input> bound = inputs.bind(start);
    List<Input> described = bound.stream().filter(inputs::worthTelling).toList();
    shown += definition.workflow().steps().size();
    if (shown > MOST_STEPS) {
      return called(definition, described, List.of(), Map.of());
    }
    Rehearsal rehearsal =
        new Rehearsal(
            rendering,
            definition.workflow(),
            this,
            new Caller(
                definition.provider(),
                caller.depth() + 1,
                start.withParameters(Inputs.values(bound))));
    return called(definition, described, rehearsal.steps(), rehearsal.outputs());
  }

  private static Called called(
      Definition definition,
      List<Input> parameters,
      List<Simulation.RehearsedStep> steps,
      Map<String, @Nullable Object> outputs) {
    return new Called(
        definition.provider(),
        definition.providerVersion(),
        definition.workflow().name(),
        parameters,
        steps,
        outputs);
  }

  private static Scope start(Scope caller, Definition definition) {
    Map<String, Object> context = new LinkedHashMap<>(caller.context());
    context.put("provider", definition.provider());
    return Scope.forBinding(
        context, caller.outputs(), Masking.byName(definition.configuration()), caller.now());
  }
}
