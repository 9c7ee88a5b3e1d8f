package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** What a library function is called with; the wrong type is an error at the line of the call. */
record Arguments(String function, Varargs values, Evaluation evaluation) {
  int count() {
    return values.narg();
  }

  LuaValue at(int index) {
    return values.arg(index);
  }

  boolean has(int index) {
    return !at(index).isnil();
  }

  /** The value, which may be nil but has to be given. */
  LuaValue given(int index) {
    if (index > count()) {
      throw wrong(index, "value expected");
    }
    return at(index);
  }

  LuaString text(int index) {
    LuaValue value = at(index);
    return switch (value.type()) {
      case LuaValue.TSTRING -> (LuaString) value;
      case LuaValue.TNUMBER -> NumberText.of(value);
      default -> throw mismatch(index, "string");
    };
  }

  double number(int index) {
    LuaValue number = at(index).tonumber();
    if (number.isnil()) {
      throw mismatch(index, "number");
    }
    return number.todouble();
  }

  int whole(int index) {
    return (int) number(index);
  }

  int whole(int index, int absent) {
    return has(index) ? whole(index) : absent;
  }

  LuaTable table(int index) {
    return at(index) instanceof LuaTable table ? table : fail(mismatch(index, "table"));
  }

  LuaValue function(int index) {
    return at(index).isfunction() ? at(index) : fail(mismatch(index, "function"));
  }

  private static <T> T fail(ScriptError error) {
    throw error;
  }

  ScriptError mismatch(int index, String expected) {
    return wrong(index, expected + " expected, got " + at(index).typename());
  }

  ScriptError wrong(int index, String message) {
    return ScriptErrors.raised("bad argument #%d to %s (%s)".formatted(index, function, message));
  }
}
