package dev.slipway.gotemplate.oracle;

import dev.slipway.gotemplate.Functions;

/** The function sets that cases name. */
final class FunctionSets {
  private FunctionSets() {}

  static Functions named(String set) {
    return switch (set) {
      case "none", "sprig" -> Functions.NONE;
      default -> throw new IllegalArgumentException("no function set " + set);
    };
  }
}
