package dev.slipway.kubernetes.lua;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.compiler.LuaC;

/** A compiled script. Evaluations share nothing but its code, and may run at the same time. */
public final class LuaScript {
  static final String CHUNK = "<string>";
  private static final int LONGEST_SOURCE = 256 * 1024;

  private final Prototype code;

  private LuaScript(Prototype code) {
    this.code = code;
  }

  /** Compiles text; compiled Lua is refused, which could reach registers that it should not. */
  public static LuaScript compile(String source) throws LuaFailure {
    byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LONGEST_SOURCE) {
      throw new LuaFailure("a script has at most " + LONGEST_SOURCE + " bytes");
    }
    if (bytes.length > 0 && bytes[0] == 0x1b) {
      throw new LuaFailure("this is compiled Lua; only source text is read");
    }
    try {
      return new LuaScript(LuaC.instance.compile(new ByteArrayInputStream(bytes), "=" + CHUNK));
    } catch (LuaError e) {
      throw CompileErrors.of(e);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new LuaFailure("the script cannot be compiled: " + e.getMessage());
    }
  }

  /**
   * Evaluates it with these globals beside the libraries.
   *
   * @param now what {@code os.time} says
   * @return its first result as plain data, see {@link LuaData}
   */
  public @Nullable Object evaluate(Map<String, Object> globals, LuaLimits limits, Instant now)
      throws LuaFailure {
    Evaluation evaluation = new Evaluation(limits, now);
    Globals environment = new Globals();
    Libraries.open(environment);
    globals.forEach((name, value) -> environment.set(name, LuaData.toLua(value)));
    environment.debuglib = evaluation;
    LuaClosure closure = new LuaClosure(code, environment);
    try {
      @Nullable Object[] result = new @Nullable Object[1];
      evaluation.run(
          () -> {
            result[0] = LuaData.fromLua(closure.invoke(LuaValue.NONE).arg1());
            return LuaValue.NONE;
          });
      return result[0];
    } catch (LuaError e) {
      LuaValue[] value = new LuaValue[1];
      evaluation.run(() -> value[0] = ScriptErrors.value(e));
      throw new LuaFailure(textOf(value[0]));
    } catch (LimitReached e) {
      throw new LuaFailure(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw new LuaFailure("the script calls itself too often");
    }
  }

  private static String textOf(LuaValue value) {
    return switch (value.type()) {
      case LuaValue.TSTRING, LuaValue.TNUMBER, LuaValue.TBOOLEAN, LuaValue.TNIL ->
          value.tojstring();
      default -> value.typename();
    };
  }
}
