package dev.slipway.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Listed for its help only: the launcher starts the server itself. */
@Command(
    name = "up",
    description =
        "Runs the server in the foreground: [--config FILE] [--data DIR] [--listen HOST:PORT]"
            + " [--database JDBC-URL] [--migrate auto|never].")
final class UpVerb extends Verb {
  @Unmatched java.util.List<String> rest;

  @Override
  public Integer call() {
    throw new Failure(ExitCode.USAGE, "start the server with the slipway launcher: slipway up");
  }
}
