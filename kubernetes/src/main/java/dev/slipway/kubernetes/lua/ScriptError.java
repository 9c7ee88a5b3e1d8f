package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaValue;

/** An error that a script can catch, raised by it or by a function of the libraries. */
final class ScriptError extends LuaError {
  private static final long serialVersionUID = 1L;

  private final transient LuaValue value;

  ScriptError(LuaValue value) {
    super(value);
    this.value = value;
  }

  LuaValue value() {
    return value;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
