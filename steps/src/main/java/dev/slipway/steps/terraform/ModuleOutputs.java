package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.Step;
import dev.slipway.steps.terraform.MachineLog.Counts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The outputs of a step: the module's outputs with their types, and the counts of the plan. */
record ModuleOutputs(Map<String, Object> values, Set<String> secret) {
  static ModuleOutputs none() {
    return new ModuleOutputs(Map.of(), Set.of());
  }

  /** Reads {@code output -json}. */
  static ModuleOutputs of(Map<String, Object> answer) {
    Map<String, Object> values = new LinkedHashMap<>();
    Set<String> secret = new TreeSet<>();
    answer.forEach(
        (name, described) -> {
          Map<String, Object> output = Values.map(described);
          values.put(name, output.get("value"));
          if (Boolean.TRUE.equals(output.get("sensitive"))) {
            secret.add(name);
          }
        });
    return new ModuleOutputs(values, secret);
  }

  /** Adds the plan's counts; a module's output wins over a count of the same name. */
  ModuleOutputs with(Counts counts) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("to_add", counts.add());
    all.put("to_change", counts.change());
    all.put("to_destroy", counts.destroy());
    all.putAll(values);
    return new ModuleOutputs(all, secret);
  }

  /** The outputs that the step asks for: all, those of its list, and its captures. */
  Result.Succeeded result(Step step) {
    Map<String, Object> asked =
        OutputParser.parse(step, new OutputParser.Material("", Json.write(values), null, values));
    boolean fromSecret = !step.capture().isEmpty() && !secret.isEmpty();
    Set<String> hidden =
        asked.keySet().stream()
            .filter(n -> secret.contains(n) || fromSecret && step.capture().containsKey(n))
            .collect(Collectors.toSet());
    return new Result.Succeeded(asked, hidden);
  }
}
