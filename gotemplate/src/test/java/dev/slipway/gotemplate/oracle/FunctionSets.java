package dev.slipway.gotemplate.oracle;

import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.sprig.Sprig;

/** The function sets that cases name. */
final class FunctionSets {
  private static final Functions SPRIG = Sprig.pure().plus(Sprig.withSettingsClock());

  private FunctionSets() {}

  static Functions named(String set) {
    return switch (set) {
      case "none" -> Functions.NONE;
      case "sprig" -> SPRIG;
      default -> throw new IllegalArgumentException("no function set " + set);
    };
  }
}
