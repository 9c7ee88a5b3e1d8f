package dev.slipway.engine.lifecycle;

/** Where a run is. */
public enum RunState implements State {
  PENDING,
  RUNNING,
  WAITING,
  SUCCEEDED,
  FAILED,
  PARTIAL,
  CANCELLED;

  /** Whether nothing will happen to it any more. */
  public boolean finished() {
    return switch (this) {
      case PENDING, RUNNING, WAITING -> false;
      case SUCCEEDED, FAILED, PARTIAL, CANCELLED -> true;
    };
  }
}
