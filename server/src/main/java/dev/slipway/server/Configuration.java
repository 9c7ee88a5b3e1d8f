package dev.slipway.server;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Severity;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.AdminConfigParser;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.custom.RuleDirectory;
import dev.slipway.steps.StepCatalog;
import dev.slipway.web.branch.Branches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The administrator's configuration, read from its file on each call. */
final class Configuration {
  private final Optional<Path> file;
  private final Branches branches;
  private final StepTypes stepTypes;

  Configuration(Optional<Path> file, Branches branches) {
    this.file = file.map(Path::toAbsolutePath);
    this.branches = branches;
    this.stepTypes = StepCatalog.types(branches.stepTypes());
  }

  /** The step types that workflows may use, those of branches included. */
  StepTypes stepTypes() {
    return stepTypes;
  }

  /**
   * The result of reading: a usable configuration, or errors that say why not.
   *
   * @param document as written, with references unresolved; empty without a file
   * @param rules of health for Kubernetes objects
   */
  record Read(
      AdminConfig config,
      List<Diagnostic> diagnostics,
      Optional<Document> document,
      HealthRules rules) {
    static Read of(List<Diagnostic> diagnostics) {
      return new Read(AdminConfig.DEFAULT, diagnostics, Optional.empty(), HealthRules.BUILT_IN);
    }

    boolean usable() {
      return diagnostics.stream().noneMatch(Diagnostic::isError);
    }
  }

  Read read() throws IOException {
    if (file.isEmpty()) {
      return Read.of(List.of());
    }
    Path path = file.get();
    Diagnostics diagnostics = new Diagnostics();
    String name = path.getFileName().toString();
    Optional<Document> document =
        Document.parse(name, Files.readAllBytes(path), Limits.PROVIDER, diagnostics);
    return document.map(d -> parsed(d, diagnostics)).orElseGet(() -> Read.of(diagnostics.all()));
  }

  /** Resolves the references of the same document again: the file of a secret may have changed. */
  Read again(Document document) {
    return parsed(document, new Diagnostics());
  }

  private Read parsed(Document document, Diagnostics diagnostics) {
    Path base =
        Objects.requireNonNull(
            file.orElseThrow().getParent(), "the absolute path of a file has a directory");
    AdminConfig config =
        new AdminConfigParser(base, System::getenv, stepTypes.names(), branches.configuration())
            .parse(document, diagnostics);
    HealthRules rules =
        config
            .healthRules()
            .map(rulesIn -> RuleDirectory.read(rulesIn, InstantSource.system(), diagnostics))
            .map(HealthRules::new)
            .orElse(HealthRules.BUILT_IN);
    return new Read(config, diagnostics.all(), Optional.of(document), rules);
  }

  Read unreadable(IOException e) {
    return Read.of(
        List.of(about(Severity.ERROR, "unreadable", "cannot be read: " + e.getMessage(), null)));
  }

  /** A diagnostic for a key that is read only at the start of the server. */
  Diagnostic needsRestart(String key) {
    return about(
        Severity.WARNING,
        "needs-restart",
        "'" + key + "' has changed",
        "It takes effect when the server is started again.");
  }

  private Diagnostic about(Severity severity, String code, String message, @Nullable String hint) {
    String name = file.map(f -> f.getFileName().toString()).orElse("");
    return new Diagnostic(severity, code, "", name, 1, 1, message, hint);
  }

  /** For the start: reports all errors at once, with positions. */
  Read require() {
    try {
      Read read = read();
      if (!read.usable()) {
        List<String> lines = new ArrayList<>();
        lines.add("the configuration " + file.orElseThrow() + " is not valid:");
        read.diagnostics().stream()
            .filter(Diagnostic::isError)
            .forEach(d -> lines.add("  " + d.text()));
        lines.add("Correct it and start again.");
        throw StartFailure.surroundings(String.join("\n", lines), null);
      }
      return read;
    } catch (IOException e) {
      throw StartFailure.surroundings(
          "cannot read the configuration "
              + file.orElseThrow()
              + ": "
              + e.getMessage()
              + ". Check --config or SLIPWAY_CONFIG.",
          e);
    }
  }
}
