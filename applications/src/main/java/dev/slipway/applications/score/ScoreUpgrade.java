package dev.slipway.applications.score;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Findings;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Located.Entry;
import dev.slipway.engine.intake.Located.Mapping;
import dev.slipway.engine.intake.Located.Scalar;
import dev.slipway.engine.intake.Located.Sequence;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Words;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Rewrites spellings of older Score files into today's, each with a warning at its place. Only what
 * has the old shape is touched; everything else is left for the schema to judge.
 */
final class ScoreUpgrade {
  /**
   * @param environment what the document said about its environment, taken out of it
   */
  record Upgraded(Document document, Optional<Score.RequestedEnvironment> environment) {}

  private final Document document;
  private final Findings findings;

  private ScoreUpgrade(Document document, Diagnostics diagnostics) {
    this.document = document;
    this.findings = new Findings(document, diagnostics);
  }

  static Upgraded apply(Document document, Diagnostics diagnostics) {
    return document.root() instanceof Mapping root
        ? new ScoreUpgrade(document, diagnostics).root(root)
        : new Upgraded(document, Optional.empty());
  }

  private Upgraded root(Mapping root) {
    var environment = LegacyEnvironment.read(document, findings.diagnostics());
    Mapping upgraded = root.without("environment");
    upgraded = each(upgraded, Path.ROOT, "containers", this::container);
    upgraded = each(upgraded, Path.ROOT, "resources", this::resource);
    boolean resourcesOnly =
        !root.entries().containsKey("containers")
            && root.value("resources").orElse(null) instanceof Mapping resources
            && !resources.entries().isEmpty();
    if (resourcesOnly) {
      Position at = document.keyPosition(Path.of("resources"));
      findings.warning(
          "no-containers", Path.ROOT, at, "no containers: a workload of resources only", null);
    }
    return new Upgraded(document.with(upgraded), environment);
  }

  private Mapping container(Mapping container, Path path) {
    Mapping upgraded = renamed(container, path, "env", "variables");
    upgraded = byTarget(upgraded, path, "files");
    upgraded = byTarget(upgraded, path, "volumes");
    upgraded = each(upgraded, path, "files", this::file);
    return each(upgraded, path, "volumes", (v, p) -> renamed(v, p, "read_only", "readOnly"));
  }

  private Mapping resource(Mapping resource, Path path) {
    return renamed(resource, path, "properties", "params");
  }

  private Mapping file(Mapping file, Path path) {
    if (!(file.value("content").orElse(null) instanceof Sequence lines)
        || !lines.items().stream().allMatch(line -> line.plain() instanceof String)) {
      return file;
    }
    String text =
        lines.items().stream().map(line -> (String) line.plain()).collect(Collectors.joining("\n"));
    Position keyAt = file.entry("content").keyAt();
    findings.warning(
        "legacy-field",
        path.child("content"),
        keyAt,
        "a list of lines is the old form of 'content'",
        "Write the text as one string, such as a block that starts with '|'.");
    return file.with("content", new Entry(keyAt, new Scalar(text, text, lines.at())));
  }

  /** A key's old name into its new one, at the same place in the map. */
  private Mapping renamed(Mapping map, Path path, String old, String now) {
    Entry entry = map.entries().get(old);
    if (entry == null) {
      return map;
    }
    if (map.entries().containsKey(now)) {
      String message = "'" + old + "' is the old name of '" + now + "', and both are set";
      findings.error(
          "exclusive-fields", path.child(old), entry.keyAt(), message, "Keep '" + now + "'.");
      return map;
    }
    String message = "'" + old + "' is the old name of '" + now + "'";
    findings.warning(
        "legacy-field", path.child(old), entry.keyAt(), message, "Rename it to '" + now + "'.");
    var changed = new LinkedHashMap<String, Entry>();
    map.entries().forEach((key, value) -> changed.put(key.equals(old) ? now : key, value));
    return new Mapping(changed, map.at());
  }

  /** A list whose items name their target into a map by target. */
  private Mapping byTarget(Mapping container, Path path, String key) {
    if (!(container.value(key).orElse(null) instanceof Sequence list)) {
      return container;
    }
    Path here = path.child(key);
    Position keyAt = container.entry(key).keyAt();
    String message = "a list is the old form of '" + key + "'";
    String hint = "Write a map whose keys are the targets.";
    findings.warning("legacy-field", here, keyAt, message, hint);
    var map = new LinkedHashMap<String, Entry>();
    for (int i = 0; i < list.items().size(); i++) {
      byTarget(list.items().get(i), here.child(i), map);
    }
    return container.with(key, new Entry(keyAt, new Mapping(map, list.at())));
  }

  private void byTarget(Located item, Path path, LinkedHashMap<String, Entry> map) {
    if (!(item instanceof Mapping fields)) {
      findings.error("wrong-type", path, item.at(), Words.expected("a map", item), null);
      return;
    }
    if (!(fields.value("target").orElse(null) instanceof Scalar target)
        || !(target.value() instanceof String name)) {
      findings.error(
          "missing-field", path, item.at(), "'target' is required and must be a string", null);
      return;
    }
    Entry earlier = map.putIfAbsent(name, new Entry(target.at(), fields.without("target")));
    if (earlier != null) {
      String message = "the target '" + name + "' is already used at " + earlier.keyAt();
      findings.error(
          "duplicate-key", path.child("target"), target.at(), message, "Remove one of them.");
    }
  }

  private static Mapping each(
      Mapping parent, Path path, String key, BiFunction<Mapping, Path, Mapping> upgrade) {
    if (!(parent.value(key).orElse(null) instanceof Mapping children)) {
      return parent;
    }
    var changed = new LinkedHashMap<String, Entry>();
    children
        .entries()
        .forEach(
            (name, entry) -> {
              Located value =
                  entry.value() instanceof Mapping map
                      ? upgrade.apply(map, path.child(key).child(name))
                      : entry.value();
              changed.put(name, new Entry(entry.keyAt(), value));
            });
    Position keyAt = parent.entry(key).keyAt();
    return parent.with(key, new Entry(keyAt, new Mapping(changed, children.at())));
  }
}
