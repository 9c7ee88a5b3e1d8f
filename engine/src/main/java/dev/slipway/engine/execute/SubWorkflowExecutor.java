package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.StepType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps that call another workflow. The engine makes a child run for each; all that is left to do
 * here is to be asked for, where people have to say first whether the step may begin.
 */
public final class SubWorkflowExecutor implements StepExecutor {
  /** Its reference and its parameters are fields of the step itself. */
  public static final StepType TYPE =
      new StepType("workflow", Set.of(), List.of(), 1, StepType.Code.NONE);

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) {
    return new Result.Succeeded(Map.of(), Set.of());
  }
}
