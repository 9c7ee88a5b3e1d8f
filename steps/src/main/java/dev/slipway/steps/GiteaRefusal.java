package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;

/** A permanent failure of a gitea-repo step: a retry would get the same answer. */
final class GiteaRefusal extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient StepError error;

  GiteaRefusal(StepError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  StepError error() {
    return error;
  }
}
