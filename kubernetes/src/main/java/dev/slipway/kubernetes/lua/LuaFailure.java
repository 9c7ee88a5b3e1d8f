package dev.slipway.kubernetes.lua;

/** A script that has no result: the text of its error, or the limit that it reached. */
public final class LuaFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int line;

  LuaFailure(String message) {
    this(message, 1);
  }

  LuaFailure(String message, int line) {
    super(message, null, false, false);
    this.line = line;
  }

  /** Of the script, counted from 1. */
  public int line() {
    return line;
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
