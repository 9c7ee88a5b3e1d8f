package dev.slipway.gotemplate.regex;

import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;

/** A place in the pattern that moves forward. */
final class Scanner {
  final String pattern;
  int at;

  Scanner(String pattern) {
    this.pattern = pattern;
  }

  boolean done() {
    return at >= pattern.length();
  }

  boolean startsWith(String text) {
    return pattern.startsWith(text, at);
  }

  /** The character {@code ahead} of this place, or 0 past the end. */
  char peek(int ahead) {
    return at + ahead < pattern.length() ? pattern.charAt(at + ahead) : 0;
  }

  int next() {
    int codePoint = pattern.codePointAt(at);
    at += Character.charCount(codePoint);
    return codePoint;
  }

  boolean skip(String text) {
    if (startsWith(text)) {
      at += text.length();
      return true;
    }
    return false;
  }

  String since(int start) {
    return pattern.substring(start, at);
  }

  String rest(int start) {
    return pattern.substring(start);
  }

  RegexSyntaxException error(Reason reason, int start) {
    return new RegexSyntaxException(reason, since(start));
  }
}
