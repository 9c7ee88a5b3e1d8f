package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Has no effect and returns the configured outputs: for workflows that only compute values. */
public final class NoopExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "noop",
              Set.of(),
              List.of(new Field("result", Kind.MAP, Need.OPTIONAL, "becomes the step's outputs")),
              1,
              StepType.Code.NONE)
          .documented("Does nothing; its outputs are the entries of `result`.", "It cannot fail.")
          .giving("(any)", "the entries of `result`");

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) {
    Map<String, Object> result = Values.map(call.config().get("result"));
    return new Result.Succeeded(result, Set.of());
  }
}
