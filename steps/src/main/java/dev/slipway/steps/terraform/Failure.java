package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepError;
import org.jspecify.annotations.Nullable;

/** Why the step cannot go on. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient StepError error;

  Failure(StepError error) {
    super(error.message());
    this.error = error;
  }

  static Failure permanent(String code, String message, @Nullable String hint) {
    return new Failure(StepError.permanent(code, message, hint));
  }

  static Failure passing(String code, String message, @Nullable String hint) {
    return new Failure(StepError.passing(code, message, hint));
  }

  StepError error() {
    return error;
  }
}
