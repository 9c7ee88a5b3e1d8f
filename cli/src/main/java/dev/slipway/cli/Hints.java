package dev.slipway.cli;

/** Pieces of commands that are suggested to people. */
final class Hints {
  private Hints() {}

  /** How this command was started: {@code ./slipway} in a checkout. */
  static String command() {
    return System.getenv().getOrDefault("SLIPWAY_COMMAND", "slipway");
  }

  /** {@code -e NAME}, but for the default environment. */
  static String in(String environment) {
    return environment.equals("default") ? "" : " -e " + environment;
  }
}
