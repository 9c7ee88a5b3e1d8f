package dev.slipway.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Listed for its help only: the launcher starts the server itself. */
@Command(
    name = "up",
    description =
        "Runs the server in the foreground: [--config FILE] [--data DIR] [--listen HOST:PORT]"
            + " [--database JDBC-URL] [--cluster embedded] [--migrate auto|never].")
final class UpVerb extends Verb {
  @Unmatched @Nullable List<String> rest;

  @Override
  public Integer call() {
    throw new Failure(ExitCode.USAGE, "start the server with the slipway launcher: slipway up");
  }
}
