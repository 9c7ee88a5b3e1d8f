package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Which build this is. */
@Command(name = "version", description = "Prints the version.")
final class VersionVerb extends Verb {
  @Override
  public Integer call() {
    out.println("slipway " + Version.text());
    return ExitCode.OK.code();
  }
}
