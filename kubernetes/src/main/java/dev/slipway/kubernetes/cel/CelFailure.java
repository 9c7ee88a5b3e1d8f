package dev.slipway.kubernetes.cel;

/** A condition that cannot be compiled, or has no answer for an object. */
public final class CelFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Cause {
    /** A field that it reads is not there. */
    MISSING_FIELD,
    OTHER
  }

  private final Cause why;

  CelFailure(Cause why, String message) {
    super(message, null, false, false);
    this.why = why;
  }

  public boolean isMissingField() {
    return why == Cause.MISSING_FIELD;
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
