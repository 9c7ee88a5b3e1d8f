package dev.slipway.engine.intake;

import java.util.regex.Pattern;

/** How the keys of a {@link Section} are compared with the names a reader asks for. */
public enum Spelling {
  /** Letter by letter. */
  EXACT,
  /** {@code outputFile} and {@code output_file} are one key; both at once is an error. */
  CAMEL_OR_SNAKE;

  private static final Pattern SNAKE = Pattern.compile("[a-z][a-z0-9]*(?:_[a-z0-9]+)+");

  String fold(String key) {
    // Nearly all keys have none: the pattern is only asked about those that do.
    boolean words = this == CAMEL_OR_SNAKE && key.indexOf('_') > 0;
    return words && SNAKE.matcher(key).matches() ? camel(key) : key;
  }

  /** {@code output_file} as outputFile. */
  public static String camel(String key) {
    var text = new StringBuilder();
    for (String word : key.split("_")) {
      text.append(
          text.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return text.toString();
  }
}
