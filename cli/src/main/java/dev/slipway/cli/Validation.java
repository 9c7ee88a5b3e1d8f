package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.OfflineDocuments;
import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** Checks one file by what it says it is. */
final class Validation {
  /** Said of a document that is neither a provider nor a workflow when no branch is installed. */
  static final String NO_DOCUMENTS =
      "this installation reads providers and workflows only: no branch that reads other documents"
          + " is part of it";

  private Validation() {}

  /** The documents of the branch that is part of this installation. */
  static Optional<OfflineDocuments> documents() {
    return ServiceLoader.load(OfflineDocuments.class).findFirst();
  }

  static List<Diagnostic> of(Path file) {
    if (Files.isDirectory(file)) {
      return provider(file);
    }
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      return List.of(unreadable(file, String.valueOf(e.getMessage())));
    }
    return switch (kind(file, bytes)) {
      case "Provider", "Platform" -> provider(ScoreFile.directory(file));
      case "Workflow" -> workflow(file, bytes);
      default ->
          documents()
              .map(documents -> documents.check(file.toString(), bytes))
              .orElseGet(() -> List.of(error(file, "unknown-document", NO_DOCUMENTS)));
    };
  }

  private static Diagnostic unreadable(Path file, String why) {
    return error(
        file, "unreadable", "cannot be read: " + (Files.exists(file) ? why : "no such file"));
  }

  private static Diagnostic error(Path file, String code, String message) {
    return Diagnostic.error(
        code, file.toString(), dev.slipway.engine.intake.Path.ROOT, Position.START, message, null);
  }

  private static String kind(Path file, byte[] bytes) {
    Optional<Document> document =
        Document.parse(file.toString(), bytes, Limits.PROVIDER, new Diagnostics());
    return document.map(Document::plain).orElse(null) instanceof Map<?, ?> map
        ? String.valueOf(map.get("kind"))
        : "";
  }

  /** A provider's manifest, its workflows and, when those are sound, its test cases. */
  static List<Diagnostic> provider(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of(unreadable(directory, "it is no directory"));
    }
    ProviderLoader.Loaded loaded = load(directory);
    List<Diagnostic> found = new ArrayList<>(loaded.diagnostics());
    loaded
        .provider()
        .ifPresent(provider -> found.addAll(TestSuite.read(directory, provider).diagnostics()));
    return found;
  }

  static ProviderLoader.Loaded load(Path directory) {
    ProviderLoader loader =
        new ProviderLoader(
            new WorkflowParser(KnownSteps.types())::parse,
            ProgramCheck.elsewhere(ProgramPath.ofThisProcess()));
    return loader.load(ProviderSource.directory(directory, 0), directory, null);
  }

  private static List<Diagnostic> workflow(Path file, byte[] bytes) {
    Diagnostics diagnostics = new Diagnostics();
    Document.parse(file.toString(), bytes, Limits.PROVIDER, diagnostics)
        .ifPresent(d -> new WorkflowParser(KnownSteps.types()).parse(d, diagnostics));
    return diagnostics.all();
  }
}
