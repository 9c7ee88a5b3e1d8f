package dev.slipway.kubernetes.lua;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * Library {@code string} of Lua 5.1, without {@code dump}. Each byte that is read or made counts.
 */
final class StringLibrary {
  private StringLibrary() {}

  static LuaTable open() {
    LuaTable library = new LuaTable();
    Native.add(library, "byte", StringLibrary::bytes);
    Native.add(library, "char", StringLibrary::ofBytes);
    Native.add(library, "find", StringSearch::find);
    Native.add(library, "format", StringFormat::format);
    Native.add(library, "gmatch", StringSearch::all);
    Native.add(library, "gsub", StringReplace::replace);
    Native.add(library, "len", a -> LuaValue.valueOf(a.text(1).m_length));
    Native.add(library, "lower", a -> mapped(a, Character::toLowerCase));
    Native.add(library, "match", StringSearch::match);
    Native.add(library, "rep", StringLibrary::repeat);
    Native.add(library, "reverse", StringLibrary::reverse);
    Native.add(library, "sub", StringLibrary::part);
    Native.add(library, "upper", a -> mapped(a, Character::toUpperCase));
    return library;
  }

  /** A copy of the text, counted. */
  private static byte[] copy(Arguments a, LuaString text) {
    a.evaluation().work(text.m_length / 8);
    a.evaluation().allocateText(text.m_length);
    byte[] copy = new byte[text.m_length];
    System.arraycopy(text.m_bytes, text.m_offset, copy, 0, copy.length);
    return copy;
  }

  /** Letters of all alphabets one by one, as in Go: what is one stays one. */
  private static Varargs mapped(Arguments a, IntUnaryOperator map) {
    String text = new String(copy(a, a.text(1)), StandardCharsets.UTF_8);
    a.evaluation().allocate(8L * text.length());
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().map(map).forEach(out::appendCodePoint);
    return LuaString.valueUsing(out.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Varargs reverse(Arguments a) {
    byte[] bytes = copy(a, a.text(1));
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte swap = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = swap;
    }
    return LuaString.valueUsing(bytes);
  }

  private static Varargs repeat(Arguments a) {
    LuaString text = a.text(1);
    long times = Math.max(0, (long) a.number(2));
    if (times == 0 || text.m_length == 0) {
      return LuaValue.EMPTYSTRING;
    }
    long length = times > Integer.MAX_VALUE ? Long.MAX_VALUE / 2 : times * text.m_length;
    a.evaluation().allocateText(length);
    a.evaluation().work(length / 8);
    byte[] bytes = new byte[(int) length];
    for (int at = 0; at < bytes.length; at += text.m_length) {
      System.arraycopy(text.m_bytes, text.m_offset, bytes, at, text.m_length);
    }
    return LuaString.valueUsing(bytes);
  }

  private static Varargs part(Arguments a) {
    LuaString text = a.text(1);
    int from = start(a.whole(2, 1), text.m_length);
    int to = end(a.whole(3, -1), text.m_length);
    return from > to ? LuaValue.EMPTYSTRING : cut(a.evaluation(), text, from - 1, to);
  }

  /**
   * The bytes from one offset up to another, counted; a long string is not kept for a short part.
   */
  static LuaString cut(Evaluation evaluation, LuaString text, int from, int to) {
    evaluation.work((to - from) / 8);
    evaluation.allocateText(to - from);
    byte[] bytes = new byte[to - from];
    System.arraycopy(text.m_bytes, text.m_offset + from, bytes, 0, bytes.length);
    return LuaString.valueUsing(bytes);
  }

  /** The first position, counted from 1; negative ones count from the end. */
  static int start(int given, int length) {
    return given >= 0 ? Math.max(1, given) : Math.max(1, length + given + 1);
  }

  private static int end(int given, int length) {
    return given >= 0 ? Math.min(given, length) : length + given + 1;
  }

  private static Varargs bytes(Arguments a) {
    LuaString text = a.text(1);
    int from = start(a.whole(2, 1), text.m_length);
    int to = end(a.whole(3, from), text.m_length);
    if (from > to) {
      return LuaValue.NONE;
    }
    a.evaluation().work((long) to - from);
    a.evaluation().allocate(16L * (to - from + 1));
    List<LuaValue> values = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      values.add(LuaValue.valueOf(text.luaByte(i - 1)));
    }
    return LuaValue.varargsOf(values.toArray(LuaValue[]::new));
  }

  private static Varargs ofBytes(Arguments a) {
    a.evaluation().work(a.count());
    a.evaluation().allocateText(a.count());
    byte[] bytes = new byte[a.count()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) a.whole(i + 1);
    }
    return LuaString.valueUsing(bytes);
  }
}
