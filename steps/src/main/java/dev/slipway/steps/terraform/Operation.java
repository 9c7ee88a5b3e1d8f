package dev.slipway.steps.terraform;

import java.util.Locale;

/** What a step does with its module. */
enum Operation {
  INIT,
  VALIDATE,
  PLAN,
  APPLY,
  DESTROY,
  OUTPUT;

  static final String[] WORDS = {"init", "validate", "plan", "apply", "destroy", "output"};

  static Operation of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether anything outside is different afterwards. */
  boolean changes() {
    return this == APPLY || this == DESTROY;
  }
}
