package dev.slipway.gotemplate;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A template that cannot be parsed, failed while executing, or used more than its limits allow. */
public final class TemplateException extends RuntimeException {
  private final Kind kind;
  private final Position position;
  private final String text;
  private final String reason;
  private final String hint;

  TemplateException(
      Kind kind,
      Position position,
      String text,
      String reason,
      String hint,
      @Nullable Throwable cause) {
    super(message(position, text, reason, hint), cause);
    this.kind = kind;
    this.position = position;
    this.text = text;
    this.reason = reason;
    this.hint = hint;
  }

  private static String message(Position position, String text, String reason, String hint) {
    StringBuilder message = new StringBuilder("template: ").append(position).append(": ");
    if (!text.isEmpty()) {
      message.append("at <").append(text).append(">: ");
    }
    message.append(reason);
    return hint.isEmpty() ? message.toString() : message.append(". ").append(hint).toString();
  }

  public Kind kind() {
    return kind;
  }

  /** Where the offending text starts. */
  public Position position() {
    return position;
  }

  /** The offending text; empty if there is none to show. */
  public String text() {
    return text;
  }

  /** What is wrong, without place, text and hint. */
  public String reason() {
    return reason;
  }

  /** What to do next, for example a name that may have been meant. */
  public Optional<String> hint() {
    return hint.isEmpty() ? Optional.empty() : Optional.of(hint);
  }

  /** What went wrong, by what the caller can do about it. */
  public enum Kind {
    /** The text is not a template. */
    PARSE,
    /** The template does not fit the data, or a function failed. */
    EXECUTION,
    /** More than {@link Limits#output} characters. */
    OUTPUT_LIMIT,
    /** A function gave a list or map of more than {@link Limits#elements}. */
    ELEMENT_LIMIT,
    /** More than {@link Limits#steps} steps. */
    STEP_LIMIT,
    /** More than {@link Limits#iterations} turns of loops. */
    ITERATION_LIMIT,
    /** Deeper than {@link Limits#depth}. */
    DEPTH_LIMIT,
    /** Longer than {@link Limits#time}. */
    TIME_LIMIT;

    /** Whether a limit was reached. */
    public boolean limit() {
      return this != PARSE && this != EXECUTION;
    }
  }
}
