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
    return this == CAMEL_OR_SNAKE && SNAKE.matcher(key).matches() ? camel(key) : key;
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
