package dev.slipway.kubernetes.lua;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** What a script finds: libraries in tables of its own, which it may change without harm. */
final class Libraries {
  static {
    // LuaJ has one metatable for all strings of the process. Scripts cannot reach it: there is no
    // getmetatable, and its table is none that a script is given.
    LuaTable methods = new LuaTable();
    methods.set(LuaValue.INDEX, StringLibrary.open());
    LuaString.s_metatable = methods;
  }

  private static final Template BASE = Template.of(base());
  private static final Template TABLE = Template.of(TableLibrary.open());
  private static final Template STRING = Template.of(StringLibrary.open());
  private static final Template MATH = Template.of(MathLibrary.open());
  private static final Template OS = Template.of(OsLibrary.open());

  private Libraries() {}

  private static LuaTable base() {
    LuaTable base = new LuaTable();
    BaseLibrary.open(base);
    Native.add(base, "require", Libraries::require);
    return base;
  }

  /** The functions of a library; each evaluation gets them in a table of its own. */
  private record Template(List<Map.Entry<LuaValue, LuaValue>> functions) {
    static Template of(LuaTable library) {
      List<Map.Entry<LuaValue, LuaValue>> functions = new ArrayList<>();
      for (LuaValue name : library.keys()) {
        functions.add(Map.entry(name, library.get(name)));
      }
      return new Template(functions);
    }

    LuaTable table() {
      return into(new LuaTable(0, functions.size()));
    }

    LuaTable into(LuaTable table) {
      for (Map.Entry<LuaValue, LuaValue> function : functions) {
        table.rawset(function.getKey(), function.getValue());
      }
      return table;
    }
  }

  static void open(Globals globals) {
    globals.set("_G", globals);
    globals.set("_VERSION", "Lua 5.1");
    BASE.into(globals);
    globals.set("table", TABLE.table());
    globals.set("string", STRING.table());
    globals.set("math", MATH.table());
    globals.set("os", OS.table());
  }

  private static Varargs require(Arguments a) {
    String module = a.text(1).tojstring();
    if (!module.equals("os")) {
      throw ScriptErrors.raised("module " + module + " not found");
    }
    return OS.table();
  }
}
