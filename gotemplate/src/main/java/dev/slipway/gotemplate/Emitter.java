package dev.slipway.gotemplate;

import org.jspecify.annotations.Nullable;

/**
 * Decides what is written for the literal text and the values of a template. The default prints
 * values as Go does; a renderer of shell scripts or SQL writes a reference instead and passes the
 * value separately, so that no value can become syntax.
 */
@FunctionalInterface
public interface Emitter {
  /** Prints every value as Go's {@code fmt.Fprint} does. */
  Emitter PRINTING = (value, position, output) -> output.print(value);

  /** Literal text between actions, after trimming. */
  default void text(String literal, Output output) {
    output.append(literal);
  }

  /**
   * The value of an action such as {@code {{ .x }}}.
   *
   * @param value the value, of one of the types of {@link Values}
   * @param position of the action
   * @param output takes what shall be written
   */
  void value(@Nullable Object value, Position position, Output output);
}
