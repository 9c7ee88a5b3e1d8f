package dev.slipway.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Listed for its help only: the launcher starts it itself, because it works without a server. */
@Command(
    name = "migrate",
    description =
        "Brings the schema of a database up to date, without a server: [--check] [--data DIR]"
            + " [--database JDBC-URL].")
final class MigrateVerb extends Verb {
  @Unmatched @Nullable List<String> rest;

  @Override
  public Integer call() {
    throw new Failure(
        ExitCode.USAGE, "migrate with the slipway launcher: slipway migrate --database JDBC-URL");
  }
}
