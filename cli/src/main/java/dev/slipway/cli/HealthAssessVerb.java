package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.assess.Assessment;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.ManifestFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Judges manifests without a server and without a cluster. */
@Command(
    name = "assess",
    description = {
      "Judges the objects in FILEs, such as the output of kubectl get -o yaml, offline.",
      "Exits with 0 whatever their health is, with 1 when a file cannot be read."
    })
final class HealthAssessVerb extends Verb {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "YAML or JSON, one object a document.")
  List<Path> files;

  @Override
  public Integer call() {
    Diagnostics diagnostics = new Diagnostics();
    List<ManifestFile> read = new ArrayList<>();
    for (Path file : files) {
      byte[] bytes = ScoreFile.bytes(file);
      read.add(ManifestFile.read(file.toString(), bytes, ManifestFile.LOCAL, diagnostics));
    }
    if (diagnostics.hasErrors()) {
      throw new Failure(
          ExitCode.FAILED,
          "not all manifests can be read",
          diagnostics.all().stream().map(Diagnostic::text).toList());
    }
    show(rows(Assessment.of(read, HealthRules.BUILT_IN)), table(), "name", "No objects.");
    return ExitCode.OK.code();
  }

  private static List<Map<String, Object>> rows(List<Assessment> assessments) {
    return assessments.stream().map(RecordTree::of).map(Values::map).toList();
  }

  private static Table table() {
    return new Table()
        .wide("FILE", "file")
        .wide("API VERSION", "apiVersion")
        .column("KIND", "kind")
        .column("NAME", "name")
        .column("STATUS", "status")
        .column("MESSAGE", "message");
  }
}
