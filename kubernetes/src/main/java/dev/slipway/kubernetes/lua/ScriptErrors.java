package dev.slipway.kubernetes.lua;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaValue;

/** Errors of scripts in the words of the interpreter that Argo CD uses, with the line. */
final class ScriptErrors {
  private static final String[] ARITHMETIC = {"add", "sub", "mul", "div", "mod", "pow"};

  private ScriptErrors() {}

  /** An error of a library function, at the line that calls it. */
  static ScriptError raised(String message) {
    return new ScriptError(LuaValue.valueOf(where(1) + message));
  }

  /** {@code <string>:LINE: } of the function at that level; empty if there is none. */
  static String where(int level) {
    return where(Evaluation.current().caller(level));
  }

  private static String where(@Nullable Frame frame) {
    return frame == null ? "" : LuaScript.CHUNK + ":" + frame.line() + ": ";
  }

  /** The value that {@code pcall} returns. */
  static LuaValue value(LuaError error) {
    Frame frame = Evaluation.current().takeFailed();
    return switch (error) {
      case ScriptError own -> own.value();
      default -> LuaValue.valueOf(where(frame) + text(error, frame));
    };
  }

  private static String text(LuaError error, @Nullable Frame frame) {
    String text = frame == null ? "" : text(frame);
    return text.isEmpty() ? plain(error, frame) : text;
  }

  /** LuaJ's own words without the place that it puts in front of them. */
  private static String plain(LuaError error, @Nullable Frame frame) {
    String text = String.valueOf(error.getMessage()).strip();
    if (frame != null && text.startsWith("=")) {
      text = text.substring(text.indexOf(' ') + 1);
    }
    return text;
  }

  /** What went wrong, seen from the instruction that failed; empty if that does not tell. */
  private static String text(Frame frame) {
    int i = frame.instruction();
    int operation = i & 0x3f;
    int a = i >> 6 & 0xff;
    int b = i >>> 23;
    int c = i >> 14 & 0x1ff;
    return switch (operation) {
      case Lua.OP_GETTABLE, Lua.OP_SELF -> index(frame.registers[b], frame.operand(c));
      case Lua.OP_SETTABLE -> index(frame.registers[a], frame.operand(b));
      case Lua.OP_CALL, Lua.OP_TFORCALL -> call(frame.registers[a]);
      case Lua.OP_ADD, Lua.OP_SUB, Lua.OP_MUL, Lua.OP_DIV, Lua.OP_MOD, Lua.OP_POW ->
          pair(ARITHMETIC[operation - Lua.OP_ADD], frame.operand(b), frame.operand(c));
      case Lua.OP_UNM -> "__unm undefined";
      case Lua.OP_LEN -> "__len undefined";
      case Lua.OP_CONCAT -> concat(frame.registers, b, c);
      case Lua.OP_LT, Lua.OP_LE ->
          "attempt to compare %s with %s"
              .formatted(frame.operand(b).typename(), frame.operand(c).typename());
      case Lua.OP_FORPREP -> loop(frame.registers, a);
      default -> "";
    };
  }

  private static String loop(LuaValue[] registers, int first) {
    String wrong =
        !registers[first].isnumber() ? "init" : !registers[first + 1].isnumber() ? "limit" : "step";
    return "for statement " + wrong + " must be a number";
  }

  private static String index(LuaValue base, LuaValue key) {
    if (base.istable()) {
      return key.isnil() ? "table index is nil" : "";
    }
    return "attempt to index a non-table object(%s) with key '%s'"
        .formatted(base.typename(), key.tojstring());
  }

  private static String call(LuaValue function) {
    return function.isfunction() ? "" : "attempt to call a non-function object";
  }

  private static String pair(String operation, LuaValue left, LuaValue right) {
    return "cannot perform %s operation between %s and %s"
        .formatted(operation, left.typename(), right.typename());
  }

  private static String concat(LuaValue[] registers, int from, int to) {
    for (int r = to; r > from; r--) {
      if (!registers[r].isstring() || !registers[r - 1].isstring()) {
        return pair("concat", registers[r - 1], registers[r]);
      }
    }
    return "";
  }
}
