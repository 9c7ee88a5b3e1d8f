package dev.slipway.server.golden;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.resolve.WorkflowReader;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code goldenpaths.yaml}: names, and the workflow files that they stand for. */
public final class GoldenPathFile {
  /** Whose workflows these are, as runs show it. */
  public static final String PROVIDER = "golden-paths";

  /** Who answers for them: whoever writes the configuration. */
  public static final String TEAM = "platform";

  private final Path file;
  private final WorkflowReader workflows;
  private final Diagnostics diagnostics;

  public GoldenPathFile(Path file, WorkflowReader workflows, Diagnostics diagnostics) {
    this.file = file;
    this.workflows = workflows;
    this.diagnostics = diagnostics;
  }

  /** All usable paths in it; what is wrong with the others is in the diagnostics. */
  public List<GoldenPath> read() throws IOException {
    Optional<Document> document = parse(file);
    if (document.isEmpty()) {
      return List.of();
    }
    Section root = document.get().section(diagnostics);
    Section entries = root;
    for (String key : List.of("goldenpaths", "goldenPaths", "golden_paths")) {
      if (root.has(key)) {
        entries = root.section(key).orElse(root);
      }
    }
    List<GoldenPath> paths = new ArrayList<>();
    for (String name : entries.keys()) {
      Optional<Object> value = entries.value(name);
      if (value.isPresent() && value.get() instanceof String path) {
        definition(entries, name, path)
            .ifPresent(
                d ->
                    paths.add(
                        new GoldenPath(
                            name,
                            d.workflow().description(),
                            "",
                            List.of(),
                            "",
                            List.of(),
                            List.of(),
                            Map.of(),
                            d)));
      } else if (entries.section(name).isPresent()) {
        entry(name, entries.section(name).get()).ifPresent(paths::add);
      }
    }
    return paths;
  }

  private Optional<GoldenPath> entry(String name, Section entry) throws IOException {
    Optional<Resolution.Definition> definition =
        definition(entry, "workflow", entry.requiredString("workflow"));
    Map<String, Object> defaults = new LinkedHashMap<>(entry.openMap("optional_params"));
    defaults.putAll(entry.openMap("parameters"));
    defaults.values().removeIf(v -> v == null || v instanceof Map<?, ?> || v.equals(""));
    GoldenPath path =
        definition
            .map(
                d ->
                    new GoldenPath(
                        name,
                        entry.string("description", d.workflow().description()),
                        entry.string("category", ""),
                        entry.strings("tags"),
                        entry.string("estimated_duration", ""),
                        entry.strings("allowedTeams"),
                        entry.strings("required_params"),
                        Values.map(defaults),
                        d))
            .orElse(null);
    entry.warnOfOtherKeys();
    return Optional.ofNullable(path);
  }

  private Optional<Resolution.Definition> definition(Section entry, String key, String written)
      throws IOException {
    if (written.isEmpty()) {
      return Optional.empty();
    }
    Path base = file.toAbsolutePath().getParent();
    Path path = base.resolve(written).normalize();
    if (!path.startsWith(base) || !Files.isRegularFile(path)) {
      entry.error(
          key,
          "missing-workflow",
          "workflow file '" + written + "' does not exist below " + base,
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
                    path.getParent().toString(),
                    Map.of(),
                    workflow,
                    source));
  }

  private Optional<Document> parse(Path path) throws IOException {
    return Document.parse(
        path.getFileName().toString(), Files.readAllBytes(path), Limits.PROVIDER, diagnostics);
  }

  private static String hash(String source) {
    try {
      byte[] text = Json.write(List.of(PROVIDER, source)).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
