package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepError;
import org.jspecify.annotations.Nullable;

/** The failure of a terraform step. */
final class TerraformFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient StepError error;

  TerraformFailure(StepError error) {
    super(error.message());
    this.error = error;
  }

  static TerraformFailure permanent(String code, String message, @Nullable String hint) {
    return new TerraformFailure(StepError.permanent(code, message, hint));
  }

  static TerraformFailure passing(String code, String message, @Nullable String hint) {
    return new TerraformFailure(StepError.passing(code, message, hint));
  }

  StepError error() {
    return error;
  }
}
