package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaString;

/** The text of a pattern: its items, which are characters, classes and sets of characters. */
record PatternItems(Evaluation evaluation, LuaString pattern) {
  int length() {
    return pattern.m_length;
  }

  int at(int index) {
    return pattern.m_bytes[pattern.m_offset + index] & 0xff;
  }

  /** The offset behind the item that begins here. */
  int itemEnd(int p) {
    int c = at(p);
    if (c == '%') {
      if (p + 1 >= length()) {
        throw ScriptErrors.raised("malformed pattern (ends with '%')");
      }
      return p + 2;
    }
    return c == '[' ? setEnd(p) : p + 1;
  }

  /** A bracket right after the opening one stands for itself. */
  private int setEnd(int p) {
    int i = p + 1;
    i += i < length() && at(i) == '^' ? 1 : 0;
    do {
      if (i >= length()) {
        throw ScriptErrors.raised("malformed pattern (missing ']')");
      }
      i += at(i) == '%' ? 2 : 1;
    } while (i >= length() || at(i) != ']');
    evaluation.work(i - p);
    return i + 1;
  }

  /** Whether a byte fits the item from one offset to another. */
  boolean fits(int c, int p, int end) {
    evaluation.work(1);
    return switch (at(p)) {
      case '.' -> true;
      case '%' -> CharacterClass.matches(c, at(p + 1));
      case '[' -> isInSet(c, p, end - 1);
      default -> at(p) == c;
    };
  }

  /** Whether a set holds a byte; {@code end} is the offset of its closing bracket. */
  boolean isInSet(int c, int p, int end) {
    boolean negated = at(p + 1) == '^';
    evaluation.work(end - p);
    for (int i = p + (negated ? 2 : 1); i < end; i++) {
      if (at(i) == '%') {
        i++;
        if (CharacterClass.matches(c, at(i))) {
          return !negated;
        }
      } else if (i + 2 < end && at(i + 1) == '-') {
        if (at(i) <= c && c <= at(i + 2)) {
          return !negated;
        }
        i += 2;
      } else if (at(i) == c) {
        return !negated;
      }
    }
    return negated;
  }
}
