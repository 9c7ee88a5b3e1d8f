package dev.slipway.kubernetes.lua;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Turns plain data into values of Lua and results back. */
public final class LuaData {
  /** A result that is no data. */
  public record NoData(String type) {}

  private LuaData() {}

  /** Null in a list is dropped, so that later items move up; null in a map is no entry. */
  static LuaValue toLua(@Nullable Object value) {
    return switch (value) {
      case null -> LuaValue.NIL;
      case String text -> LuaValue.valueOf(text);
      case Boolean flag -> LuaValue.valueOf(flag);
      case Number number -> LuaValue.valueOf(number.doubleValue());
      case Map<?, ?> map -> table(map);
      case List<?> list -> table(list);
      default -> throw new IllegalArgumentException("no plain data: " + value.getClass());
    };
  }

  private static LuaTable table(Map<?, ?> map) {
    LuaTable table = new LuaTable(0, map.size());
    map.forEach((key, value) -> table.rawset(LuaValue.valueOf(String.valueOf(key)), toLua(value)));
    return table;
  }

  private static LuaTable table(List<?> list) {
    LuaTable table = new LuaTable(list.size(), 0);
    int index = 0;
    for (Object item : list) {
      if (item != null) {
        table.rawset(++index, toLua(item));
      }
    }
    return table;
  }

  /**
   * Strings, doubles, booleans, lists for tables with numbers as keys and for empty ones, maps for
   * tables with strings as keys, null for nil.
   */
  static @Nullable Object fromLua(LuaValue value) {
    return new Reading().value(value, 0);
  }

  /** Reads one result, with the errors of the encoder that Argo CD uses. */
  private static final class Reading {
    private final Map<LuaTable, Boolean> visited = new IdentityHashMap<>();

    @Nullable Object value(LuaValue value, int depth) {
      return switch (value.type()) {
        case LuaValue.TNIL -> null;
        case LuaValue.TBOOLEAN -> value.toboolean();
        case LuaValue.TNUMBER -> value.todouble();
        case LuaValue.TSTRING -> value.tojstring();
        case LuaValue.TTABLE -> table((LuaTable) value, depth);
        default -> noData(value.typename(), depth);
      };
    }

    private static Object noData(String type, int depth) {
      if (depth > 0) {
        throw error("cannot encode " + type + " to JSON", depth);
      }
      return new NoData(type);
    }

    private Object table(LuaTable table, int depth) {
      Evaluation evaluation = Evaluation.current();
      evaluation.allocate(128);
      if (visited.put(table, true) != null) {
        throw error("cannot encode recursively nested tables to JSON", depth);
      }
      Map<String, Object> map = new LinkedHashMap<>();
      List<Object> list = new ArrayList<>();
      for (Varargs next = table.next(LuaValue.NIL);
          !next.isnil(1);
          next = table.next(next.arg1())) {
        evaluation.work(1);
        evaluation.allocate(64);
        entry(next, map, list, depth);
      }
      if (!map.isEmpty() && !list.isEmpty()) {
        throw error("cannot encode mixed or invalid key types", depth);
      }
      return map.isEmpty() ? list : map;
    }

    private void entry(Varargs next, Map<String, Object> map, List<Object> list, int depth) {
      switch (next.arg1().type()) {
        case LuaValue.TSTRING -> map.put(next.arg1().tojstring(), value(next.arg(2), depth + 1));
        case LuaValue.TNUMBER -> {
          list.add(value(next.arg(2), depth + 1));
          if (next.arg1().todouble() != list.size()) {
            throw error("cannot encode sparse array", depth);
          }
        }
        default -> throw error("cannot encode mixed or invalid key types", depth);
      }
    }

    private static ScriptError error(String message, int depth) {
      String each = "json: error calling MarshalJSON for type json.jsonValue: ";
      return new ScriptError(LuaValue.valueOf(each.repeat(Math.min(depth, 3) + 1) + message));
    }
  }
}
