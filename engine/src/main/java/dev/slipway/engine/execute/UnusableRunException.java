package dev.slipway.engine.execute;

/** A run that no worker can take up, now or later. */
public final class UnusableRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient StepError error;

  UnusableRunException(StepError error) {
    super(error.message());
    this.error = error;
  }

  StepError error() {
    return error;
  }
}
