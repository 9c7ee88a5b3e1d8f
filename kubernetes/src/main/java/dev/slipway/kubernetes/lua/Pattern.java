package dev.slipway.kubernetes.lua;

import java.util.Arrays;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/**
 * A pattern of Lua, matched at one place of a text after the other. Every step counts as work, so
 * that a pattern which backtracks without end reaches the limit of instructions.
 */
final class Pattern {
  private static final int MOST_CAPTURES = 32;
  private static final int DEEPEST = 200;
  private static final int POSITION = -2;
  private static final int OPEN = -1;
  private static final int NO_MATCH = -1;

  private final Evaluation evaluation;
  private final LuaString text;
  private final PatternItems pattern;
  private final int[] starts = new int[MOST_CAPTURES];
  private final int[] lengths = new int[MOST_CAPTURES];
  private int captures;
  private int depth;

  Pattern(Evaluation evaluation, LuaString text, LuaString pattern) {
    this.evaluation = evaluation;
    this.text = text;
    this.pattern = new PatternItems(evaluation, pattern);
  }

  boolean isAnchored() {
    return pattern.length() > 0 && pattern.at(0) == '^';
  }

  /** Where a match that begins at this offset ends; negative if there is none. */
  int matchAt(int offset) {
    captures = 0;
    depth = 0;
    return match(offset, isAnchored() ? 1 : 0);
  }

  int captures() {
    return captures;
  }

  /** The values of the captures; the whole match where the pattern has none. */
  LuaValue[] values(int from, int to) {
    if (captures == 0) {
      return new LuaValue[] {StringLibrary.cut(evaluation, text, from, to)};
    }
    LuaValue[] values = new LuaValue[captures];
    Arrays.setAll(values, this::capture);
    return values;
  }

  LuaValue capture(int index) {
    if (index >= captures || lengths[index] == OPEN) {
      throw ScriptErrors.raised("invalid capture index");
    }
    return lengths[index] == POSITION
        ? LuaValue.valueOf(starts[index] + 1)
        : StringLibrary.cut(evaluation, text, starts[index], starts[index] + lengths[index]);
  }

  private int textAt(int index) {
    return text.m_bytes[text.m_offset + index] & 0xff;
  }

  private int match(int s, int p) {
    if (++depth > DEEPEST) {
      throw ScriptErrors.raised("pattern too complex");
    }
    try {
      return step(s, p);
    } finally {
      depth--;
    }
  }

  private int step(int start, int first) {
    int s = start;
    int p = first;
    while (p < pattern.length()) {
      evaluation.work(1);
      int c = pattern.at(p);
      if (c == '(') {
        boolean position = p + 1 < pattern.length() && pattern.at(p + 1) == ')';
        return open(s, position ? p + 2 : p + 1, position ? POSITION : OPEN);
      }
      if (c == ')') {
        return close(s, p + 1);
      }
      if (c == '$' && p + 1 == pattern.length()) {
        return s == text.m_length ? s : NO_MATCH;
      }
      if (c == '%' && p + 1 < pattern.length()) {
        int special = special(s, p);
        if (special == NO_MATCH) {
          return NO_MATCH;
        }
        if (special != ORDINARY) {
          s = special;
          p =
              pattern.at(p + 1) == 'b'
                  ? p + 4
                  : pattern.at(p + 1) == 'f' ? pattern.itemEnd(p + 2) : p + 2;
          continue;
        }
      }
      int end = pattern.itemEnd(p);
      int suffix = end < pattern.length() ? pattern.at(end) : 0;
      switch (suffix) {
        case '?' -> {
          if (s < text.m_length && pattern.fits(textAt(s), p, end)) {
            int found = match(s + 1, end + 1);
            if (found != NO_MATCH) {
              return found;
            }
          }
          p = end + 1;
        }
        case '*', '+', '-' -> {
          return repeated(s, new Item(p, end), suffix);
        }
        default -> {
          if (s >= text.m_length || !pattern.fits(textAt(s), p, end)) {
            return NO_MATCH;
          }
          s++;
          p = end;
        }
      }
    }
    return s;
  }

  private static final int ORDINARY = -3;

  /** {@code %b}, {@code %f} and references to captures; {@link #ORDINARY} for anything else. */
  private int special(int s, int p) {
    int c = pattern.at(p + 1);
    if (c == 'b') {
      return balanced(s, p + 2);
    }
    if (c == 'f') {
      return frontier(s, p + 2) ? s : NO_MATCH;
    }
    return c >= '0' && c <= '9' ? repeatCapture(s, c - '1') : ORDINARY;
  }

  private int balanced(int s, int p) {
    if (p + 1 >= pattern.length()) {
      throw ScriptErrors.raised("missing arguments to '%b'");
    }
    if (s >= text.m_length || textAt(s) != pattern.at(p)) {
      return NO_MATCH;
    }
    int open = 1;
    for (int i = s + 1; i < text.m_length; i++) {
      evaluation.work(1);
      if (textAt(i) == pattern.at(p + 1)) {
        if (--open == 0) {
          return i + 1;
        }
      } else if (textAt(i) == pattern.at(p)) {
        open++;
      }
    }
    return NO_MATCH;
  }

  private boolean frontier(int s, int p) {
    if (p >= pattern.length() || pattern.at(p) != '[') {
      throw ScriptErrors.raised("missing '[' after '%f' in pattern");
    }
    int end = pattern.itemEnd(p);
    int before = s == 0 ? 0 : textAt(s - 1);
    int here = s < text.m_length ? textAt(s) : 0;
    return !pattern.isInSet(before, p, end - 1) && pattern.isInSet(here, p, end - 1);
  }

  private int repeatCapture(int s, int index) {
    if (index < 0 || index >= captures || lengths[index] < 0) {
      throw ScriptErrors.raised("invalid capture index");
    }
    int length = lengths[index];
    evaluation.work(length);
    if (text.m_length - s < length) {
      return NO_MATCH;
    }
    for (int i = 0; i < length; i++) {
      if (textAt(s + i) != textAt(starts[index] + i)) {
        return NO_MATCH;
      }
    }
    return s + length;
  }

  private int open(int s, int p, int kind) {
    if (captures >= MOST_CAPTURES) {
      throw ScriptErrors.raised("too many captures");
    }
    starts[captures] = s;
    lengths[captures] = kind;
    captures++;
    int found = match(s, p);
    if (found == NO_MATCH) {
      captures--;
    }
    return found;
  }

  private int close(int s, int p) {
    int index = captures - 1;
    while (index >= 0 && lengths[index] != OPEN) {
      index--;
    }
    if (index < 0) {
      throw ScriptErrors.raised("invalid pattern capture");
    }
    lengths[index] = s - starts[index];
    int found = match(s, p);
    if (found == NO_MATCH) {
      lengths[index] = OPEN;
    }
    return found;
  }

  /** One item of the pattern: offset of its first byte and of the first one behind it. */
  private record Item(int from, int to) {}

  private int repeated(int s, Item item, int suffix) {
    int next = item.to() + 1;
    if (suffix == '-') {
      for (int i = s; ; i++) {
        int found = match(i, next);
        if (found != NO_MATCH
            || i >= text.m_length
            || !pattern.fits(textAt(i), item.from(), item.to())) {
          return found;
        }
      }
    }
    int most = s;
    while (most < text.m_length && pattern.fits(textAt(most), item.from(), item.to())) {
      most++;
    }
    for (int i = most; i >= (suffix == '+' ? s + 1 : s); i--) {
      int found = match(i, next);
      if (found != NO_MATCH) {
        return found;
      }
    }
    return NO_MATCH;
  }
}
