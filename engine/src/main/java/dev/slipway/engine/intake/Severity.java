package dev.slipway.engine.intake;

import java.util.Locale;

/** An error stops its stage; a warning travels with the accepted request. */
public enum Severity {
  ERROR,
  WARNING;

  /** The word used in JSON and text. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
