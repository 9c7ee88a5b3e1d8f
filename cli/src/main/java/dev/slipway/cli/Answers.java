package dev.slipway.cli;

import dev.slipway.cli.cases.Observed;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Answers for the steps of a run, instead of executing them again. */
final class Answers {
  private Answers() {}

  /** Every step answers as it did in that run. */
  static Map<String, List<Map<String, Object>>> like(Observed observed) {
    return each(
        observed, step -> Map.of("outputs", Values.map(step.getOrDefault("outputs", Map.of()))));
  }

  /** Every step fails and does nothing. */
  static Map<String, List<Map<String, Object>>> failing(Observed observed) {
    return each(observed, _ -> Map.of("failure", Map.of("message", "not yet")));
  }

  private static Map<String, List<Map<String, Object>>> each(
      Observed observed, Function<Map<String, Object>, Map<String, Object>> answer) {
    Map<String, List<Map<String, Object>>> answers = new LinkedHashMap<>();
    for (Map<String, Object> step : Api.items(observed.run().get("steps"))) {
      answers.put(String.valueOf(step.get("name")), List.of(answer.apply(step)));
    }
    return answers;
  }
}
