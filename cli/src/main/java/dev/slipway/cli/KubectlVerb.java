package dev.slipway.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Listed for its help only: the launcher starts kubectl itself. */
@Command(
    name = "kubectl",
    description =
        "Runs kubectl on the embedded cluster of the data directory (SLIPWAY_DATA), with the"
            + " arguments as they are.")
final class KubectlVerb extends Verb {
  @Unmatched @Nullable List<String> rest;

  @Override
  public Integer call() {
    throw new Failure(ExitCode.USAGE, "use the slipway launcher: slipway kubectl get pods");
  }
}
