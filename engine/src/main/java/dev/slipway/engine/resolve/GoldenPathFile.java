package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads {@code goldenpaths.yaml}: names, and the workflow files that they stand for. */
public record GoldenPathFile(Path file, WorkflowReader workflows, Diagnostics diagnostics) {
  /** Whose workflows these are, as runs show it. */
  public static final String PROVIDER = "golden-paths";

  /** The team that owns them: the one that writes the configuration. */
  public static final String TEAM = ProviderSource.PLATFORM_TEAM;

  private static final List<String> WRAPPERS =
      List.of("goldenpaths", "goldenPaths", "golden_paths");

  /** All usable paths in it; the mistakes of the rest are in the diagnostics. */
  public List<GoldenPath> read() throws IOException {
    Optional<Document> document = parse(file);
    if (document.isEmpty()) {
      return List.of();
    }
    Section root = document.get().section(diagnostics);
    Optional<String> wrapped =
        WRAPPERS.stream().filter(key -> root.keys().contains(key)).findFirst();
    Section entries = wrapped.flatMap(root::section).orElse(root);
    if (wrapped.isPresent()) {
      root.noOtherKeys();
    }
    List<GoldenPath> paths = new ArrayList<>();
    for (String name : entries.keys()) {
      path(entries, name).ifPresent(paths::add);
    }
    return paths;
  }

  private Optional<GoldenPath> path(Section entries, String name) throws IOException {
    switch (entries.located(name).orElse(null)) {
      case Located.Scalar text when text.plain() instanceof String written -> {
        return definition(entries, name, written).map(d -> bare(name, d));
      }
      case Located.Mapping _ -> {
        Section entry = entries.section(name).orElseThrow().spelled(Spelling.CAMEL_OR_SNAKE);
        return entry(name, entry.only(GoldenPathForms.ENTRY.names()));
      }
      case null, default -> {
        entries.error(
            name,
            "wrong-type",
            "expected a workflow's file, or a map with 'workflow'",
            "Write " + name + ": ./workflows/" + name + ".yaml.");
        return Optional.empty();
      }
    }
  }

  private static GoldenPath bare(String name, Resolution.Definition definition) {
    return new GoldenPath(
        name,
        definition.workflow().description(),
        "",
        List.of(),
        "",
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        definition);
  }

  private Optional<GoldenPath> entry(String name, Section entry) throws IOException {
    Map<String, Object> defaults = optional(entry);
    List<Parameter> declared = new ArrayList<>();
    GoldenPathParameters.read(entry, declared, defaults);
    String description = entry.string("description", "");
    String category = entry.string("category", "");
    List<String> tags = entry.strings("tags");
    String duration = entry.text("estimatedDuration").orElse("");
    List<String> teams = entry.strings("allowedTeams");
    List<String> required = entry.strings("requiredParams");
    entry.warnOfOtherKeys();
    return definition(entry, "workflow", entry.requiredString("workflow"))
        .map(
            d ->
                new GoldenPath(
                    name,
                    description.isEmpty() ? d.workflow().description() : description,
                    category,
                    tags,
                    duration,
                    teams,
                    required,
                    Values.map(defaults),
                    declared,
                    d));
  }

  /** A list of names says nothing that the workflow does not; a map gives values. */
  private static Map<String, Object> optional(Section entry) {
    if (entry.located("optionalParams").orElse(null) instanceof Located.Sequence) {
      entry.strings("optionalParams");
      return new LinkedHashMap<>();
    }
    Map<String, Object> values = new LinkedHashMap<>(entry.openMap("optionalParams"));
    values.values().removeIf(value -> value == null || value.equals(""));
    return values;
  }

  private static Path directory(Path file) {
    return Objects.requireNonNull(file.getParent(), "an absolute path of a file has a directory");
  }

  private Optional<Resolution.Definition> definition(Section entry, String key, String written)
      throws IOException {
    if (written.isEmpty()) {
      return Optional.empty();
    }
    Path base = directory(file.toAbsolutePath().normalize());
    Path path = base.resolve(written).normalize();
    if (!path.startsWith(base)
        || Files.exists(path) && !path.toRealPath().startsWith(base.toRealPath())) {
      entry.error(
          key,
          "outside-root",
          "'" + written + "' is outside of the directory of " + file.getFileName(),
          "Keep workflow files below it.");
      return Optional.empty();
    }
    if (!Files.isRegularFile(path)) {
      entry.error(
          key,
          "missing-file",
          "workflow file '" + written + "' does not exist",
          "Paths are relative to " + file.getFileName() + ".");
      return Optional.empty();
    }
    String source = Files.readString(path);
    return parse(path)
        .flatMap(document -> workflows.read(document, diagnostics))
        .map(
            workflow ->
                new Resolution.Definition(
                    PROVIDER,
                    "1",
                    null,
                    hash(source),
                    directory(path).toString(),
                    Map.of(),
                    workflow,
                    source,
                    Map.of()));
  }

  private Optional<Document> parse(Path path) throws IOException {
    return Document.parse(
        path.getFileName().toString(), Files.readAllBytes(path), Limits.PROVIDER, diagnostics);
  }

  private static String hash(String source) {
    return Sha256.hex(Json.write(List.of(PROVIDER, source)));
  }
}
