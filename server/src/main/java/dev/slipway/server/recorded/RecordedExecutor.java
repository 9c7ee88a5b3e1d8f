package dev.slipway.server.recorded;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.OutputException;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.OutputParser.Material;
import dev.slipway.engine.workflow.StepType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Returns recorded results for steps that have some, and executes all other steps. */
record RecordedExecutor(StepExecutor real, Recording recording) implements StepExecutor {
  @Override
  public StepType type() {
    return real.type();
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    recording.note(call);
    Optional<Map<String, Object>> answer = recording.answer(call);
    return answer.isPresent() ? recorded(call, answer.get()) : real.execute(call);
  }

  @Override
  public void stop(StepCall call) throws InterruptedException {
    real.stop(call);
  }

  private static Result recorded(StepCall call, Map<String, Object> answer) {
    call.log().line(StepLog.Stream.NOTE, "answered from a record, not executed");
    try {
      Map<String, Object> outputs = outputs(call, answer);
      return answer.get("failure") == null
          ? new Result.Succeeded(outputs, Set.of())
          : new Result.Failed(error(Values.map(answer.get("failure"))), outputs);
    } catch (OutputException e) {
      return new Result.Failed(
          StepError.permanent("invalid-output", String.valueOf(e.getMessage()), null), Map.of());
    }
  }

  /** Outputs as of a program: parsed from its standard output, and those given directly. */
  private static Map<String, Object> outputs(StepCall call, Map<String, Object> answer) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    if (answer.get("stdout") instanceof String stdout) {
      stdout.lines().forEach(line -> call.log().line(StepLog.Stream.STDOUT, line));
      outputs.putAll(OutputParser.parse(call.step(), Material.of(stdout, null)));
    }
    outputs.putAll(Values.map(answer.getOrDefault("outputs", Map.of())));
    return outputs;
  }

  private static StepError error(Map<String, Object> failure) {
    String code = text(failure.get("code"), "recorded-failure");
    String message = text(failure.get("message"), "recorded as failed");
    @Nullable String hint = failure.get("hint") instanceof String words ? words : null;
    return Boolean.TRUE.equals(failure.get("transient"))
        ? StepError.passing(code, message, hint)
        : StepError.permanent(code, message, hint);
  }

  private static String text(@Nullable Object value, String otherwise) {
    return value instanceof String text ? text : otherwise;
  }
}
