package dev.slipway.kubernetes.lua;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Library {@code table} of Lua 5.1. What moves items counts each of them. */
final class TableLibrary {
  private TableLibrary() {}

  static LuaTable open() {
    LuaTable library = new LuaTable();
    Native.add(library, "getn", a -> LuaValue.valueOf(a.table(1).length()));
    Native.add(library, "maxn", TableLibrary::largestIndex);
    Native.add(library, "concat", TableLibrary::concat);
    Native.add(library, "insert", TableLibrary::insert);
    Native.add(library, "remove", TableLibrary::remove);
    Native.add(library, "sort", TableLibrary::sort);
    return library;
  }

  private static Varargs largestIndex(Arguments a) {
    double largest = 0;
    LuaTable table = a.table(1);
    for (Varargs next = table.next(LuaValue.NIL); !next.isnil(1); next = table.next(next.arg1())) {
      a.evaluation().work(1);
      if (next.arg1().type() == LuaValue.TNUMBER) {
        largest = Math.max(largest, next.arg1().todouble());
      }
    }
    return LuaValue.valueOf(largest);
  }

  private static Varargs concat(Arguments a) {
    LuaTable table = a.table(1);
    LuaString separator = a.has(2) ? a.text(2) : LuaValue.EMPTYSTRING;
    int from = a.whole(3, 1);
    int to = a.has(4) ? a.whole(4) : table.length();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (long i = from; i <= to; i++) {
      LuaValue item = table.get((int) i);
      if (!item.isstring()) {
        throw ScriptErrors.raised(
            "invalid value (%s) at index %d in table for concat".formatted(item.typename(), i));
      }
      append(out, a, BaseLibrary.text(item).strvalue());
      if (i < to) {
        append(out, a, separator);
      }
    }
    return LuaString.valueUsing(out.toByteArray());
  }

  private static void append(ByteArrayOutputStream out, Arguments a, LuaString text) {
    a.evaluation().work(1 + text.m_length / 16);
    a.evaluation().allocate(2L * text.m_length);
    a.evaluation().checkText((long) out.size() + text.m_length);
    out.write(text.m_bytes, text.m_offset, text.m_length);
  }

  private static Varargs insert(Arguments a) {
    LuaTable table = a.table(1);
    int end = table.length() + 1;
    a.evaluation().allocate(64);
    if (a.count() < 3) {
      table.set(end, a.given(2));
      return LuaValue.NONE;
    }
    int at = a.whole(2);
    a.evaluation().work(Math.max(0, end - (long) at));
    for (int i = end; i > at; i--) {
      table.set(i, table.get(i - 1));
    }
    table.set(at, a.at(3));
    return LuaValue.NONE;
  }

  private static Varargs remove(Arguments a) {
    LuaTable table = a.table(1);
    int length = table.length();
    int at = a.whole(2, length);
    if (length == 0 || at < 1 || at > length) {
      return LuaValue.NIL;
    }
    LuaValue removed = table.get(at);
    a.evaluation().work(length - (long) at);
    for (int i = at; i < length; i++) {
      table.set(i, table.get(i + 1));
    }
    table.set(length, LuaValue.NIL);
    return removed;
  }

  /** A comparison that contradicts itself gives some order, as in Lua. */
  private static Varargs sort(Arguments a) {
    LuaTable table = a.table(1);
    int length = table.length();
    a.evaluation().work(length);
    a.evaluation().allocate(32L * length);
    List<LuaValue> items = new ArrayList<>(length);
    for (int i = 1; i <= length; i++) {
      items.add(table.get(i));
    }
    LuaValue order = a.has(2) ? a.function(2) : LuaValue.NIL;
    MergeSort.sort(items, (left, right) -> isBefore(a.evaluation(), order, left, right));
    for (int i = 0; i < length; i++) {
      table.set(i + 1, items.get(i));
    }
    return LuaValue.NONE;
  }

  private static boolean isBefore(
      Evaluation evaluation, LuaValue order, LuaValue left, LuaValue right) {
    evaluation.work(1);
    if (!order.isnil()) {
      return order.call(left, right).toboolean();
    }
    if (left.type() != right.type() && !(left.isnumber() && right.isnumber())) {
      throw ScriptErrors.raised(
          "attempt to compare %s with %s".formatted(left.typename(), right.typename()));
    }
    return left.lt_b(right);
  }
}
