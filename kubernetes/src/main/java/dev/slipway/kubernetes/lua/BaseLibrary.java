package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * The functions without a library. Those that read files, compile text or reach metatables of
 * strings are not there; {@code print} and {@code collectgarbage} do nothing.
 */
final class BaseLibrary {
  private static final Native NEXT = new Native("next", a -> a.table(1).next(a.at(2)));
  private static final Native NEXT_ITEM = new Native("ipairs", a -> a.table(1).inext(a.at(2)));

  private BaseLibrary() {}

  static void open(LuaTable globals) {
    globals.set("next", NEXT);
    Native.add(globals, "pairs", a -> LuaValue.varargsOf(NEXT, a.table(1), LuaValue.NIL));
    Native.add(globals, "ipairs", a -> LuaValue.varargsOf(NEXT_ITEM, a.table(1), LuaValue.ZERO));
    Native.add(globals, "assert", BaseLibrary::check);
    Native.add(globals, "error", BaseLibrary::error);
    Native.add(globals, "pcall", BaseLibrary::protectedCall);
    Native.add(globals, "xpcall", BaseLibrary::handledCall);
    Native.add(globals, "print", a -> LuaValue.NONE);
    Native.add(globals, "collectgarbage", a -> LuaValue.ZERO);
    Native.add(globals, "rawequal", a -> LuaValue.valueOf(a.given(1).raweq(a.given(2))));
    Native.add(globals, "rawget", a -> a.table(1).rawget(a.given(2)));
    Native.add(globals, "rawset", BaseLibrary::rawSet);
    Native.add(globals, "select", BaseLibrary::select);
    Native.add(globals, "setmetatable", BaseLibrary::setMetatable);
    Native.add(globals, "tonumber", BaseLibrary::toNumber);
    Native.add(globals, "tostring", a -> text(a.given(1)));
    Native.add(globals, "type", a -> LuaValue.valueOf(a.given(1).typename()));
    Native.add(globals, "unpack", BaseLibrary::unpack);
  }

  private static Varargs check(Arguments a) {
    if (!a.given(1).toboolean()) {
      throw ScriptErrors.raised(a.has(2) ? a.text(2).tojstring() : "assertion failed!");
    }
    return a.values();
  }

  private static Varargs error(Arguments a) {
    int level = a.whole(2, 1);
    LuaValue value = a.given(1);
    boolean placed = level > 0 && value.type() == LuaValue.TSTRING;
    throw new ScriptError(
        placed ? LuaValue.valueOf(ScriptErrors.where(level) + value.tojstring()) : value);
  }

  private static Varargs protectedCall(Arguments a) {
    try {
      return LuaValue.varargsOf(LuaValue.TRUE, a.given(1).invoke(a.values().subargs(2)));
    } catch (LuaError e) {
      return LuaValue.varargsOf(LuaValue.FALSE, ScriptErrors.value(e));
    }
  }

  private static Varargs handledCall(Arguments a) {
    try {
      return LuaValue.varargsOf(LuaValue.TRUE, a.given(1).invoke(LuaValue.NONE));
    } catch (LuaError e) {
      return LuaValue.varargsOf(LuaValue.FALSE, a.function(2).invoke(ScriptErrors.value(e)));
    }
  }

  private static Varargs rawSet(Arguments a) {
    a.evaluation().allocate(64);
    if (a.at(2).isnil()) {
      throw ScriptErrors.raised("table index is nil");
    }
    a.table(1).rawset(a.at(2), a.at(3));
    return a.at(1);
  }

  private static Varargs select(Arguments a) {
    int rest = a.count() - 1;
    if (a.at(1).type() == LuaValue.TSTRING && a.at(1).tojstring().equals("#")) {
      return LuaValue.valueOf(rest);
    }
    int index = a.whole(1);
    if (index == 0 || index < -rest) {
      throw a.wrong(1, "index out of range");
    }
    a.evaluation().work(rest);
    return index > rest
        ? LuaValue.NONE
        : a.values().subargs(index < 0 ? rest + index + 2 : index + 1);
  }

  private static Varargs setMetatable(Arguments a) {
    LuaTable table = a.table(1);
    LuaValue before = table.getmetatable();
    if (before != null && !before.rawget("__metatable").isnil()) {
      throw ScriptErrors.raised("cannot change a protected metatable");
    }
    return table.setmetatable(a.has(2) ? a.table(2) : null);
  }

  private static Varargs toNumber(Arguments a) {
    LuaValue value = a.given(1);
    a.evaluation().work(value.type() == LuaValue.TSTRING ? value.length() / 16 : 0);
    if (!a.has(2)) {
      return value.tonumber();
    }
    int base = a.whole(2);
    if (base < 2 || base > 36) {
      throw a.wrong(2, "base out of range");
    }
    return a.text(1).tonumber(base);
  }

  /** As {@code tostring} writes a value. */
  static LuaValue text(LuaValue value) {
    LuaValue own = value.metatag(LuaValue.TOSTRING);
    if (!own.isnil()) {
      return own.call(value);
    }
    return switch (value.type()) {
      case LuaValue.TSTRING -> value;
      case LuaValue.TNUMBER -> NumberText.of(value);
      case LuaValue.TNIL, LuaValue.TBOOLEAN -> LuaValue.valueOf(value.tojstring());
      default -> LuaValue.valueOf(value.typename());
    };
  }

  private static Varargs unpack(Arguments a) {
    LuaTable table = a.table(1);
    int from = a.whole(2, 1);
    int to = a.has(3) ? a.whole(3) : table.length();
    long count = (long) to - from + 1;
    if (count <= 0) {
      return LuaValue.NONE;
    }
    a.evaluation().work(count);
    a.evaluation().allocate(16 * count);
    LuaValue[] values = new LuaValue[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = table.get(from + i);
    }
    return LuaValue.varargsOf(values);
  }
}
