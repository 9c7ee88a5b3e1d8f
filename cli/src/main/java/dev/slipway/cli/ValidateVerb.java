package dev.slipway.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks files without a server. */
@Command(name = "validate", description = "Checks Score, provider and workflow files, offline.")
final class ValidateVerb extends Verb {
  @Parameters(paramLabel = "FILE", arity = "1..*")
  List<Path> files;

  @Override
  public Integer call() {
    ValidationReport report = new ValidationReport(ValidationReport.Warnings.PASS);
    files.forEach(file -> report.add(file, Validation.of(file)));
    report.show(this);
    return report.exitCode().code();
  }
}
