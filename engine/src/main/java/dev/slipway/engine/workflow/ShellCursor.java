package dev.slipway.engine.workflow;

/** A place in a script, from which its signs are read. */
class ShellCursor {
  /** A script that is not understood. */
  static final class NotUnderstood extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotUnderstood(String message) {
      super(message, null, false, false);
    }
  }

  static final int END = Integer.MIN_VALUE;
  private static final int DEEPEST = 100;

  final ShellText text;
  int at;
  int depth;

  ShellCursor(ShellText text) {
    this.text = text;
  }

  static boolean isValue(int code) {
    return code < 0 && code != END;
  }

  boolean atEnd() {
    return at >= text.length();
  }

  int peek() {
    return peek(0);
  }

  int peek(int ahead) {
    return at + ahead < text.length() ? text.codes()[at + ahead] : END;
  }

  boolean ahead(String literal) {
    for (int i = 0; i < literal.length(); i++) {
      if (peek(i) != literal.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  boolean take(String literal) {
    boolean there = ahead(literal);
    at += there ? literal.length() : 0;
    return there;
  }

  int position() {
    return at;
  }

  void back(int position) {
    at = position;
  }

  void enter() {
    if (++depth > DEEPEST) {
      throw new NotUnderstood("nested too deep");
    }
  }

  void leave() {
    depth--;
  }

  /** The name of a variable that stands here; empty when there is none. */
  String identifier() {
    int start = at;
    while (peek() == '_' || peek() < 128 && Character.isLetterOrDigit(Math.max(peek(), 0))) {
      if (at == start && Character.isDigit(peek())) {
        break;
      }
      at++;
    }
    return string(start, at);
  }

  /** A stretch of the text, with a blank for every value. */
  String string(int from, int to) {
    StringBuilder out = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      out.append(text.codes()[i] < 0 ? ' ' : (char) text.codes()[i]);
    }
    return out.toString();
  }
}
