package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaTable;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/** A library function. It has no state, so that all evaluations share it. */
final class Native extends VarArgFunction {
  /** What it does. */
  interface Body {
    Varargs call(Arguments arguments);
  }

  private final String name;
  private final Body body;

  Native(String name, Body body) {
    this.name = name;
    this.body = body;
  }

  static void add(LuaTable library, String name, Body body) {
    library.set(name, new Native(name, body));
  }

  @Override
  public Varargs invoke(Varargs arguments) {
    Evaluation evaluation = Evaluation.current();
    evaluation.work(1);
    return body.call(new Arguments(name, arguments, evaluation));
  }

  @Override
  public String name() {
    return name;
  }
}
