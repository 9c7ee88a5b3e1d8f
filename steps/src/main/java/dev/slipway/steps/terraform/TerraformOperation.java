package dev.slipway.steps.terraform;

import java.util.Locale;

/** The operations of a terraform step. */
enum TerraformOperation {
  INIT,
  VALIDATE,
  PLAN,
  APPLY,
  DESTROY,
  OUTPUT;

  static final String[] WORDS = {"init", "validate", "plan", "apply", "destroy", "output"};

  static TerraformOperation of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it changes real infrastructure. */
  boolean changes() {
    return this == APPLY || this == DESTROY;
  }
}
