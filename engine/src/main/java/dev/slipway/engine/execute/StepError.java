package dev.slipway.engine.execute;

import org.jspecify.annotations.Nullable;

/** Why a step failed: a stable code, a sentence, whether trying again may help, and what to do. */
public record StepError(String code, String message, Kind kind, @Nullable String hint) {
  /** A look found that what the provider made is gone. */
  public static final String MISSING = "missing";

  /** A look found what the provider made other than it was left. */
  public static final String DRIFT = "drift";

  /** What is there was not made for the resource. */
  public static final String NOT_OURS = "not-ours";

  /** A look found that what the provider made is being rolled out. */
  public static final String PROGRESSING = "progressing";

  /** A look found what the provider made as it was left, and not well. */
  public static final String DEGRADED = "degraded";

  /** A look found what the provider made as it was left, and paused. */
  public static final String SUSPENDED = "suspended";

  public StepError {
    message = message.replace('\0', '\uFFFD'); // no database keeps a NUL in a text
  }

  /** Whether the same call may succeed later. */
  public enum Kind {
    TRANSIENT,
    PERMANENT
  }

  /** An error that trying again will not mend. */
  public static StepError permanent(String code, String message, @Nullable String hint) {
    return new StepError(code, message, Kind.PERMANENT, hint);
  }

  /** An error that may pass. */
  public static StepError passing(String code, String message, @Nullable String hint) {
    return new StepError(code, message, Kind.TRANSIENT, hint);
  }
}
