package dev.slipway.applications.simulate;

import dev.slipway.applications.simulate.Simulation.Input;
import dev.slipway.applications.simulate.Simulation.Origin;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a run as they would be, each with where it came from. */
record Inputs(
    Workflow workflow,
    Map<String, @Nullable Object> params,
    Map<String, Object> injected,
    Map<String, @Nullable Object> outputs) {
  List<Input> bind(Scope scope) {
    ParameterBinding.Bound bound =
        ParameterBinding.bind(
            workflow,
            new ParameterBinding.Sources(params, injected, outputs, ParameterBinding.Words.STRICT),
            scope);
    Map<String, @Nullable Object> values = new LinkedHashMap<>(bound.values());
    // What is not known yet, or hidden, cannot be of the type that it will be of.
    params.forEach(
        (name, value) -> {
          if (!ParameterBinding.INJECTED.contains(name)
              && (Unknown.in(value) || Masking.HIDDEN.equals(value))) {
            values.put(name, value);
          }
        });
    List<Input> inputs = new ArrayList<>();
    Map<String, @Nullable Object> shown = Masking.byName(values);
    shown.forEach(
        (name, value) ->
            inputs.add(
                new Input(
                    name,
                    value != null && bound.secrets().contains(name) ? Masking.HIDDEN : value,
                    origin(name, value))));
    return inputs;
  }

  /** By name. */
  static Map<String, Object> values(List<Input> bound) {
    Map<String, Object> values = new LinkedHashMap<>();
    bound.forEach(i -> values.put(i.name(), i.value()));
    return values;
  }

  private Origin origin(String name, @Nullable Object value) {
    if (ReservedParameters.IDENTITY.contains(name)) {
      return injected.get(name) == null ? Origin.NOWHERE : Origin.INJECTED;
    }
    if (params.get(name) != null) {
      return Origin.PARAMS;
    }
    if (injected.get(name) != null) {
      return Origin.INJECTED;
    }
    if (outputs.get(name) != null) {
      return Origin.OUTPUTS;
    }
    return value == null ? Origin.NOWHERE : Origin.DEFAULT;
  }

  /** Declared or given. Parameters that every run gets (metadata, ids) are left out. */
  boolean worthTelling(Input input) {
    Set<String> declared =
        workflow.parameters().stream().map(Parameter::name).collect(Collectors.toSet());
    return declared.contains(input.name()) || input.from() != Origin.INJECTED;
  }
}
