package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import java.util.function.Supplier;

/** Bounds the depth of a walk through a value: a dict may contain itself. */
final class Depth {
  private static final int MOST = 1000;

  private final Call call;
  private int levels;

  Depth(Call call) {
    this.call = call;
  }

  <T> T inside(Supplier<T> walk) {
    enter();
    try {
      return walk.get();
    } finally {
      leave();
    }
  }

  void enter() {
    if (++levels > MOST) {
      throw call.fail("values nest deeper than " + MOST + " levels, or contain themselves");
    }
  }

  void leave() {
    levels--;
  }
}
