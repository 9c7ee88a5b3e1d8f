package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepError;

/** How a program ended, with the tail of its standard output. */
public sealed interface Ending {
  /** It exited by itself. */
  record Exited(int code, String stdout, String lastErrorLine) implements Ending {}

  /** It reached its timeout and was stopped. */
  record TimedOut(String lastErrorLine) implements Ending {}

  /** It exceeded a limit and was killed with all its descendants. */
  record Exceeded(Limit limit, long measured, long allowed) implements Ending {
    /** The same for every step type; permanent, since a retry would exceed the limit again. */
    public StepError error() {
      return StepError.permanent(
          limit.code,
          "killed because it used "
              + limit.words(measured)
              + "; allowed are "
              + limit.amount(allowed),
          "Let the step use less, or raise engine.limits."
              + limit.key
              + " in the server's configuration and reload it.");
    }
  }

  /** It could not be started. */
  record NotStarted(String reason) implements Ending {}
}
