package dev.slipway.engine.workflow;

import org.jspecify.annotations.Nullable;

/** A text that is not a condition. */
public final class ExpressionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int offset;
  private final @Nullable String hint;

  ExpressionException(String message, int offset, @Nullable String hint) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }

  /** Where in the text, in characters from its start. */
  public int offset() {
    return offset;
  }

  public @Nullable String hint() {
    return hint;
  }
}
