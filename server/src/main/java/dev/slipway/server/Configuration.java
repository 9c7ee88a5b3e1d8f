package dev.slipway.server;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.AdminConfigParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The administrator's configuration, read from its file whenever it is asked for. */
final class Configuration {
  private final Optional<Path> file;

  Configuration(Optional<Path> file) {
    this.file = file.map(Path::toAbsolutePath);
  }

  /** What was read: usable, or with errors that say why not. */
  record Read(AdminConfig config, List<Diagnostic> diagnostics) {
    boolean usable() {
      return diagnostics.stream().noneMatch(Diagnostic::isError);
    }
  }

  Read read() throws IOException {
    if (file.isEmpty()) {
      return new Read(AdminConfig.DEFAULT, List.of());
    }
    Path path = file.get();
    Diagnostics diagnostics = new Diagnostics();
    String name = path.getFileName().toString();
    Optional<Document> document =
        Document.parse(name, Files.readAllBytes(path), Limits.PROVIDER, diagnostics);
    AdminConfig config =
        document
            .map(d -> new AdminConfigParser(path.getParent(), System::getenv).parse(d, diagnostics))
            .orElse(AdminConfig.DEFAULT);
    return new Read(config, diagnostics.all());
  }

  /** For the start: everything that is wrong, at once, with positions. */
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
