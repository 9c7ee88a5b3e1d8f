package dev.slipway.kubernetes.lua;

/** Ends an evaluation at a limit. An Error, because LuaJ hands exceptions to the script. */
final class LimitReached extends Error {
  private static final long serialVersionUID = 1L;

  LimitReached(String message) {
    super(message, null, false, false);
  }
}
