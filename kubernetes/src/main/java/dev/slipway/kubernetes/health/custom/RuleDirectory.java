package dev.slipway.kubernetes.health.custom;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.DuplicateKeys;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Position;
import dev.slipway.kubernetes.health.custom.RuleReading.Place;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rules of a directory: {@code GROUP/KIND/health.lua}, {@code KIND/health.lua} for the core group,
 * {@code _} for any text, and YAML files with HealthChecks or a ConfigMap {@code argocd-cm}. Other
 * files below are left alone.
 */
public final class RuleDirectory {
  private static final String SCRIPT = "health.lua";
  private static final long LARGEST = 1 << 20;
  private static final dev.slipway.engine.intake.Path ROOT = dev.slipway.engine.intake.Path.ROOT;

  private final Path directory;
  private final RuleReading checks;
  private final RuleReading argo;

  private RuleDirectory(Path directory, InstantSource clock, Diagnostics diagnostics) {
    this.directory = directory;
    this.checks = new RuleReading(clock, diagnostics);
    this.argo = new RuleReading(clock, diagnostics);
  }

  /** The rules in the order in which they are asked; everything that is wrong is reported. */
  public static List<CustomRules> read(
      Path directory, InstantSource clock, Diagnostics diagnostics) {
    RuleDirectory reading = new RuleDirectory(directory, clock, diagnostics);
    try {
      reading.read();
    } catch (IOException e) {
      boolean there = Files.exists(directory);
      reading.unreadable(directory, there ? String.valueOf(e.getMessage()) : "no such directory");
    }
    return List.of(reading.checks.rules(), reading.argo.rules());
  }

  private void unreadable(Path file, String why) {
    Place place = new Place(file.toString(), ROOT, Position.START);
    checks.error("unreadable", place, "cannot be read: " + why, null);
  }

  private void read() throws IOException {
    for (Path entry : entries(directory)) {
      String name = entry.getFileName().toString();
      if (Files.isDirectory(entry)) {
        script(entry.resolve(SCRIPT), "", name);
        for (Path kind : entries(entry)) {
          script(kind.resolve(SCRIPT), name, kind.getFileName().toString());
        }
      } else if (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json")) {
        documents(entry);
      }
    }
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private void script(Path file, String group, String kind) throws IOException {
    if (!Files.isRegularFile(file)) {
      return;
    }
    Place place = new Place(file.toString(), ROOT, Position.START);
    if (Files.size(file) > LARGEST) {
      unreadable(file, "it has more than " + LARGEST + " bytes");
      return;
    }
    try {
      checks.addScript(
          file.toString(),
          new KindPattern(group.replace('_', '*'), kind.replace('_', '*')),
          Files.readString(file),
          place,
          line -> new Position(line, 1));
    } catch (CharacterCodingException e) {
      unreadable(file, "it is not UTF-8 text");
    } catch (IllegalArgumentException e) {
      unreadable(file, String.valueOf(e.getMessage()));
    }
  }

  private void documents(Path file) throws IOException {
    if (Files.size(file) > Limits.PROVIDER.bytes()) {
      unreadable(file, "it has more than " + Limits.PROVIDER.bytes() + " bytes");
      return;
    }
    Document.parseAll(
            file.toString(),
            Files.readAllBytes(file),
            Limits.PROVIDER,
            DuplicateKeys.REFUSED,
            checks.diagnostics())
        .forEach(this::document);
  }

  private void document(Document document) {
    String kind = text(document, "kind");
    String apiVersion = text(document, "apiVersion");
    if (kind.equals(HealthCheckDocument.KIND)
        && apiVersion.equals(HealthCheckDocument.API_VERSION)) {
      HealthCheckDocument.read(document, checks);
    } else if (kind.equals("ConfigMap")
        && text(document, "metadata", "name").equals(ArgoCustomizations.NAME)) {
      ArgoCustomizations.read(document, argo);
    } else {
      checks.error(
          "unknown-document",
          new Place(document.file(), ROOT, document.root().at()),
          "this holds no rules",
          "Rules are documents "
              + HealthCheckDocument.API_VERSION
              + " HealthCheck, a ConfigMap "
              + ArgoCustomizations.NAME
              + ", and files GROUP/KIND/"
              + SCRIPT
              + ".");
    }
  }

  private static String text(Document document, Object... path) {
    return document
        .at(dev.slipway.engine.intake.Path.of(path))
        .map(Located::plain)
        .map(String::valueOf)
        .orElse("");
  }
}
