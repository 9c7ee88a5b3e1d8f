package dev.slipway.engine.workflow;

import dev.slipway.gotemplate.TemplateException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A template, placeholder or condition that cannot be rendered with the values at hand. The message
 * never holds a value, since any value may be secret.
 */
public final class RenderingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String hint;

  RenderingException(String message, @Nullable String hint) {
    super(message);
    this.hint = hint;
  }

  /** Where in the field's own text a template went wrong, and why. */
  static RenderingException of(TemplateException e) {
    String where = "line " + e.position().line() + ", column " + e.position().column();
    String text = e.text().isEmpty() ? "" : " at <" + e.text() + ">";
    return new RenderingException(where + text + ": " + e.reason(), e.hint().orElse(null));
  }

  /** The same problem, said of a named place. */
  RenderingException in(String place) {
    return new RenderingException(place + ": " + getMessage(), hint);
  }

  /** What to do about it. */
  public Optional<String> hint() {
    return Optional.ofNullable(hint);
  }
}
