package dev.slipway.engine.lifecycle;

/** Where a step of a run is. */
public enum StepState implements State {
  PENDING,
  RUNNING,
  WAITING,
  SUCCEEDED,
  FAILED,
  SKIPPED,
  CANCELLED,
  ROLLED_BACK;

  /** Whether it ended in this run; a rolled-back step had succeeded before. */
  public boolean finished() {
    return switch (this) {
      case PENDING, RUNNING, WAITING -> false;
      case SUCCEEDED, FAILED, SKIPPED, CANCELLED, ROLLED_BACK -> true;
    };
  }
}
