package dev.slipway.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks providers without a server. */
@Command(
    name = "validate",
    description =
        "Checks providers offline: the manifest, every workflow and what they refer to, test"
            + " cases.")
final class ProviderValidateVerb extends Verb {
  @Parameters(paramLabel = "DIR", arity = "1..*")
  List<Path> directories;

  @Option(names = "--strict", description = "Warnings count as errors.")
  boolean strict;

  @Override
  public Integer call() {
    ValidationReport report =
        new ValidationReport(
            strict ? ValidationReport.Warnings.FAIL : ValidationReport.Warnings.PASS);
    for (Path directory : directories) {
      report.add(directory, Validation.provider(directory));
    }
    report.show(this);
    return report.exitCode().code();
  }
}
