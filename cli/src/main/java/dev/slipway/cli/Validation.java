package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.ScoreIntake;
import dev.slipway.engine.intake.Submission;
import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks one file by what it says it is. */
final class Validation {
  private Validation() {}

  static List<Diagnostic> of(Path file) {
    if (Files.isDirectory(file)) {
      return provider(file);
    }
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "no such file";
      return List.of(
          Diagnostic.error(
              "unreadable",
              file.toString(),
              dev.slipway.engine.intake.Path.ROOT,
              Position.START,
              "cannot be read: " + why,
              null));
    }
    return switch (kind(file, bytes)) {
      case "Provider", "Platform" -> provider(file.toAbsolutePath().getParent());
      case "Workflow" -> workflow(file, bytes);
      default -> ScoreIntake.read(file.toString(), bytes, Submission.OFFLINE).diagnostics();
    };
  }

  private static String kind(Path file, byte[] bytes) {
    Optional<Document> document =
        Document.parse(file.toString(), bytes, Limits.PROVIDER, new Diagnostics());
    return document.map(Document::plain).orElse(null) instanceof Map<?, ?> map
        ? String.valueOf(map.get("kind"))
        : "";
  }

  private static List<Diagnostic> provider(Path directory) {
    ProviderLoader loader =
        new ProviderLoader(
            new WorkflowParser(KnownSteps.types())::parse,
            ProgramCheck.elsewhere(ProgramPath.ofThisProcess()));
    return loader.load(ProviderSource.directory(directory, 0), directory, null).diagnostics();
  }

  private static List<Diagnostic> workflow(Path file, byte[] bytes) {
    Diagnostics diagnostics = new Diagnostics();
    Document.parse(file.toString(), bytes, Limits.PROVIDER, diagnostics)
        .ifPresent(d -> new WorkflowParser(KnownSteps.types()).parse(d, diagnostics));
    return diagnostics.all();
  }
}
