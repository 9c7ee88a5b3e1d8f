package dev.slipway.cli.cases;

import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an action came to.
 *
 * @param state of the resource; empty without one
 * @param run the run that did it, with its steps; empty when there was none
 * @param calls what steps were given: one object a call, with step, attempt and config
 * @param problems why it was refused: objects with code and message
 */
public record Observed(
    String state,
    Map<String, Object> run,
    Map<String, Object> outputs,
    List<Map<String, Object>> calls,
    List<Map<String, Object>> problems) {

  /** Not accepted. */
  public static Observed refused(List<Map<String, Object>> problems) {
    return new Observed("", Map.of(), Map.of(), List.of(), problems);
  }

  /** The code of the failure that ended the run; empty without one. */
  public String failureCode() {
    return String.valueOf(error().getOrDefault("code", ""));
  }

  /** Its state and why it is in it, or why it was refused. */
  public String text() {
    if (!problems.isEmpty()) {
      return "refused: " + problems.getFirst().get("message");
    }
    Object why = error().get("message");
    return why == null ? state : state + ", because: " + why;
  }

  String status() {
    return String.valueOf(run.getOrDefault("status", ""));
  }

  Map<String, Object> error() {
    return Values.map(run.getOrDefault("error", Map.of()));
  }

  /** In the order in which they began; what never began stays where the workflow has it. */
  List<Map<String, Object>> steps() {
    List<Map<String, Object>> steps = new ArrayList<>();
    String last = "";
    for (Object each : run.get("steps") instanceof List<?> list ? list : List.of()) {
      Map<String, Object> step = new LinkedHashMap<>(Values.map(each));
      String began = String.valueOf(step.getOrDefault("startedAt", last));
      last = began.compareTo(last) > 0 ? began : last;
      step.put("began", began);
      steps.add(step);
    }
    steps.sort(Comparator.comparing(s -> String.valueOf(s.get("began"))));
    return steps;
  }

  /** What the last attempt of a step was given. */
  Map<String, Object> inputs(String step) {
    Map<String, Object> inputs = Map.of();
    for (Map<String, Object> call : calls) {
      if (step.equals(call.get("step"))) {
        inputs = Values.map(call.getOrDefault("config", Map.of()));
      }
    }
    return inputs;
  }
}
