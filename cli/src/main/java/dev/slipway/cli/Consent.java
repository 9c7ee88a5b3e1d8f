package dev.slipway.cli;

import java.io.Console;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Asks the user to confirm what cannot be undone. */
final class Consent {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  boolean given;

  /** Asks on the terminal, unless the command line has said yes; a no is a failure. */
  void to(String question) {
    if (given) {
      return;
    }
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new Failure(
          ExitCode.USAGE,
          "not done: no terminal to ask for confirmation on",
          "Repeat the command with --yes.");
    }
    String answer = console.readLine("%s [y/N] ", question);
    if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
      throw new Failure(ExitCode.FAILED, "not done");
    }
  }
}
