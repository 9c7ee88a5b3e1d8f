package dev.slipway.cli;

/** How a word is shown. */
enum Ink {
  PLAIN(""),
  GOOD("32"),
  BAD("31"),
  BUSY("36"),
  WARN("33"),
  DIM("2"),
  BOLD("1");

  final String code;

  Ink(String code) {
    this.code = code;
  }
}
