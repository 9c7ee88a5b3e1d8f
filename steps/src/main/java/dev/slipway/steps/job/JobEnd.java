package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.steps.process.Ending;
import java.util.Map;
import java.util.Optional;

/** How a program in a Job ended. */
public sealed interface JobEnd {
  /** The program ended by itself. */
  record Exited(Ending.Exited exit, ResultFile result) implements JobEnd {}

  /** Something else ended it, or it never ran. */
  record Broken(StepError error) implements JobEnd {
    /** As the result of the step. */
    public Result failure() {
      return new Result.Failed(error, Map.of());
    }
  }

  /** What the program left in its result file. */
  sealed interface ResultFile {
    /** Its text; empty without such a file. */
    record Text(Optional<String> text) implements ResultFile {}

    /** Why it cannot be read, such as {@code is no plain file but a link}. */
    record Unreadable(String why) implements ResultFile {}
  }
}
