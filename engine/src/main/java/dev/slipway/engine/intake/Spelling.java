package dev.slipway.engine.intake;

/** How the keys of a {@link Section} are compared with the names a reader asks for. */
public enum Spelling {
  /** Letter by letter. */
  EXACT,
  /** {@code outputFile} and {@code output_file} are one key; both at once is an error. */
  CAMEL_OR_SNAKE;

  String fold(String key) {
    return this == EXACT ? key : camel(key);
  }

  private static String camel(String key) {
    if (key.indexOf('_') < 0) {
      return key;
    }
    var text = new StringBuilder();
    for (String word : key.split("_")) {
      text.append(
          text.isEmpty() || word.isEmpty()
              ? word
              : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return text.toString();
  }
}
