package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.StepType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps that call another workflow. The engine makes a child run for each; this executor is called
 * only for a step that needs an approval before it may begin.
 */
public final class SubWorkflowExecutor implements StepExecutor {
  /** Its reference and its parameters are fields of the step itself. */
  public static final StepType TYPE =
      new StepType("workflow", Set.of(), List.of(), 1, StepType.Code.NONE)
          .documented(
              "Calls another workflow: `workflow: name` of the same provider, or `provider/name`,"
                  + " with `parameters`. Its outputs are the step's. It is a run of its own, linked"
                  + " to the step; no thread is held while it runs. Without `timeout` it may take"
                  + " as long as the run; people who are asked inside it cost no time.",
              "When its run fails, the step fails with its reason; a retry makes a new run."
                  + " Cancelling the run, or the step's timeout, stops it and waits for its end."
                  + " The workflows called are those of when the run was made, whatever is loaded"
                  + " later. They may be nested five deep and never call themselves.");

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) {
    return new Result.Succeeded(Map.of(), Set.of());
  }
}
