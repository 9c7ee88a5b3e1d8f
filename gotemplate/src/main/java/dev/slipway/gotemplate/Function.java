package dev.slipway.gotemplate;

import org.jspecify.annotations.Nullable;

/**
 * A function that templates can call.
 *
 * @param name as templates write it
 * @param group heading under which documentation lists it
 * @param signature Go-like, for example {@code (count int, s string) string} or {@code (v ...any)
 *     []any}; the number and types of the arguments are checked against it before the body runs
 * @param doc one line saying what it does
 * @param body the code
 */
public record Function(String name, String group, Signature signature, String doc, Body body) {
  /** A function with its signature in text form. */
  public static Function of(String name, String group, String signature, String doc, Body body) {
    return new Function(name, group, Signature.of(signature), doc, body);
  }

  /** The same function under another name. */
  public Function named(String other) {
    return new Function(other, group, signature, doc, body);
  }

  /** The code of a function. */
  @FunctionalInterface
  public interface Body {
    /**
     * Gives the result, one of the types of {@link Values}. Must not keep the call. Work that grows
     * with an argument's value is charged before it is done: {@link Call#charge}, {@link
     * Call#room}.
     */
    @Nullable Object apply(Call call);
  }

  /**
   * The code of a function that changes a dict it is given. A template that calls one gets its own
   * copy of the data, so that the caller's stays as it is.
   */
  @FunctionalInterface
  public interface Changing extends Body {}
}
