package dev.slipway.kubernetes.lua;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaError;

/** The compiler's errors, with their line taken out of the text. */
final class CompileErrors {
  private static final Pattern PLACE =
      Pattern.compile("^(?:\\[string \"[^\"]*\"]|[^:]*):(\\d{1,6}): ?(.*)$", Pattern.DOTALL);

  private CompileErrors() {}

  static LuaFailure of(LuaError error) {
    String text = String.valueOf(error.getMessage()).strip();
    Matcher matcher = PLACE.matcher(text);
    return matcher.matches()
        ? new LuaFailure(matcher.group(2), Integer.parseInt(matcher.group(1)))
        : new LuaFailure(text);
  }
}
