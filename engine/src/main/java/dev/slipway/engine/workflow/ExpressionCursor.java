package dev.slipway.engine.workflow;

import org.jspecify.annotations.Nullable;

/** A place in the text of a condition, and what stands there. */
class ExpressionCursor {
  final String source;
  int at;

  ExpressionCursor(String source) {
    this.source = source;
  }

  static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || "_-.:/@+*%~#^".indexOf(c) >= 0;
  }

  void space() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  boolean ahead(String text) {
    return source.startsWith(text, at);
  }

  boolean take(String text) {
    space();
    boolean there = ahead(text);
    at += there ? text.length() : 0;
    return there;
  }

  boolean takeWord(String word) {
    space();
    boolean there = wordAhead().equals(word);
    at += there ? word.length() : 0;
    return there;
  }

  String wordAhead() {
    int end = at;
    while (end < source.length() && isWord(source.charAt(end))) {
      end++;
    }
    return source.substring(at, end);
  }

  String here() {
    String word = wordAhead();
    return word.isEmpty() && at < source.length()
        ? Character.toString(source.codePointAt(at))
        : word.substring(0, Math.min(word.length(), 40));
  }

  static ExpressionException problem(int offset, String message, @Nullable String hint) {
    return new ExpressionException(message, offset, hint);
  }
}
