package dev.slipway.kubernetes.lua;

import java.time.Duration;

/**
 * What one evaluation may take.
 *
 * @param instructions of Lua, and work of library functions
 * @param memory bytes allocated in all
 * @param text bytes of one string
 * @param time a last resort: the other limits are reached long before
 */
public record LuaLimits(long instructions, long memory, int text, Duration time) {
  public static final LuaLimits DEFAULT =
      new LuaLimits(1_000_000, 16 << 20, 1 << 20, Duration.ofSeconds(1));
}
