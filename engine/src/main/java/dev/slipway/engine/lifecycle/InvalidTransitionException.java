package dev.slipway.engine.lifecycle;

/** A change of state that the table does not allow. */
public final class InvalidTransitionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** On {@code what}, from one state to another. */
  public InvalidTransitionException(String what, State from, State to) {
    super(what + " cannot transition from " + from.text() + " to " + to.text());
  }
}
