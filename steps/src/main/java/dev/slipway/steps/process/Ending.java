package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepError;

/** How a program ended, with the tail of its standard output. */
public sealed interface Ending {
  /** By itself. */
  record Exited(int code, String stdout, String lastErrorLine) implements Ending {}

  /** It took too long and was stopped. */
  record TimedOut(String lastErrorLine) implements Ending {}

  /** It used more than it may, and was killed with everything it had started. */
  record Exceeded(Limit limit, long measured, long allowed) implements Ending {
    /** The same for every step type. Trying again would only use it again. */
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
