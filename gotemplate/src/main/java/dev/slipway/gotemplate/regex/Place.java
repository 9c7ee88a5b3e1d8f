package dev.slipway.gotemplate.regex;

/** A condition on a place between two characters of the text; -1 stands for no character. */
enum Place {
  TEXT_START,
  TEXT_END,
  LINE_START,
  LINE_END,
  WORD_BOUNDARY,
  NO_WORD_BOUNDARY;

  boolean holds(int before, int after) {
    return switch (this) {
      case TEXT_START -> before < 0;
      case TEXT_END -> after < 0;
      case LINE_START -> before < 0 || before == '\n';
      case LINE_END -> after < 0 || after == '\n';
      case WORD_BOUNDARY -> isWord(before) != isWord(after);
      case NO_WORD_BOUNDARY -> isWord(before) == isWord(after);
    };
  }

  private static boolean isWord(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
  }
}
