package dev.slipway.kubernetes.lua;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Functions {@code find}, {@code match} and {@code gmatch}. */
final class StringSearch {
  private static final String SPECIAL = "^$*+?.([%-";

  private StringSearch() {}

  /** Where a pattern was found. */
  private record Found(int from, int to) {}

  static Varargs find(Arguments a) {
    LuaString text = a.text(1);
    LuaString wanted = a.text(2);
    int from = StringLibrary.start(a.whole(3, 1), text.m_length) - 1;
    if (from > text.m_length) {
      return LuaValue.NIL;
    }
    if (a.at(4).toboolean() || isPlain(a, wanted)) {
      int at = plain(a.evaluation(), text, wanted, from);
      return at < 0 ? LuaValue.NIL : range(at, at + wanted.m_length);
    }
    Pattern pattern = new Pattern(a.evaluation(), text, wanted);
    Found found = search(pattern, text, from);
    if (found == null) {
      return LuaValue.NIL;
    }
    Varargs range = range(found.from(), found.to());
    return pattern.captures() == 0
        ? range
        : LuaValue.varargsOf(
            range.arg(1),
            range.arg(2),
            LuaValue.varargsOf(pattern.values(found.from(), found.to())));
  }

  private static Varargs range(int from, int to) {
    return LuaValue.varargsOf(LuaValue.valueOf(from + 1), LuaValue.valueOf(to));
  }

  private static boolean isPlain(Arguments a, LuaString wanted) {
    a.evaluation().work(wanted.m_length);
    String text =
        new String(wanted.m_bytes, wanted.m_offset, wanted.m_length, StandardCharsets.ISO_8859_1);
    return text.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  private static int plain(Evaluation evaluation, LuaString text, LuaString wanted, int from) {
    for (int at = from; at + wanted.m_length <= text.m_length; at++) {
      int same = 0;
      while (same < wanted.m_length
          && text.m_bytes[text.m_offset + at + same] == wanted.m_bytes[wanted.m_offset + same]) {
        same++;
      }
      evaluation.work(1 + same);
      if (same == wanted.m_length) {
        return at;
      }
    }
    return -1;
  }

  static Varargs match(Arguments a) {
    LuaString text = a.text(1);
    Pattern pattern = new Pattern(a.evaluation(), text, a.text(2));
    int from = StringLibrary.start(a.whole(3, 1), text.m_length) - 1;
    Found found = from > text.m_length ? null : search(pattern, text, from);
    return found == null
        ? LuaValue.NIL
        : LuaValue.varargsOf(pattern.values(found.from(), found.to()));
  }

  private static @Nullable Found search(Pattern pattern, LuaString text, int from) {
    for (int at = from; at <= text.m_length; at++) {
      int end = pattern.matchAt(at);
      if (end >= 0) {
        return new Found(at, end);
      }
      if (pattern.isAnchored()) {
        return null;
      }
    }
    return null;
  }

  /** The iterator has the place in the text as its only state. */
  static Varargs all(Arguments a) {
    LuaString text = a.text(1);
    LuaString wanted = a.text(2);
    int[] at = {0};
    a.evaluation().allocate(128);
    return new Native(
        "gmatch",
        call -> {
          Pattern pattern = new Pattern(call.evaluation(), text, wanted);
          Found found = at[0] > text.m_length ? null : search(pattern, text, at[0]);
          if (found == null) {
            at[0] = text.m_length + 1;
            return LuaValue.NIL;
          }
          at[0] = found.to() == found.from() ? found.to() + 1 : found.to();
          return LuaValue.varargsOf(pattern.values(found.from(), found.to()));
        });
  }
}
