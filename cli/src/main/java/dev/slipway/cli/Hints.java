package dev.slipway.cli;

/** Pieces of commands that are suggested to people. */
final class Hints {
  private Hints() {}

  /** {@code -e NAME} outside of the default environment. */
  static String in(String environment) {
    return environment.equals("default") ? "" : " -e " + environment;
  }
}
