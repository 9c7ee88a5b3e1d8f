package dev.slipway.kubernetes.health.custom;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.kubernetes.health.custom.RuleReading.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Health scripts of a ConfigMap {@code argocd-cm}: one key a kind, or all under the single key of
 * older versions. A key for one kind goes before the same kind under the single key.
 */
final class ArgoCustomizations {
  static final String NAME = "argocd-cm";
  private static final String ALL = "resource.customizations";
  private static final String HEALTH = ALL + ".health.";
  private static final String OPEN_LIBS = ALL + ".useOpenLibs.";
  private static final Set<String> BOOLEANS =
      Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");

  private record Script(String text, Located.Scalar written, String key, Place place) {}

  private final Document document;
  private final RuleReading reading;
  private final Map<String, Script> scripts = new LinkedHashMap<>();

  private ArgoCustomizations(Document document, RuleReading reading) {
    this.document = document;
    this.reading = reading;
  }

  static void read(Document document, RuleReading reading) {
    Optional<Located> data = document.at(Path.of("data"));
    if (data.isPresent() && data.get() instanceof Located.Mapping map) {
      ArgoCustomizations all = new ArgoCustomizations(document, reading);
      map.value(ALL).ifPresent(all::olderForm);
      map.entries().forEach((key, entry) -> all.entry(key, entry.value()));
      all.scripts.forEach(all::add);
    }
  }

  private Place place(String key, Position at) {
    return new Place(document.file(), Path.of("data", key), at);
  }

  private void entry(String key, Located value) {
    if (key.startsWith(HEALTH)) {
      pattern(key, HEALTH, value).ifPresent(pattern -> script(pattern, key, value));
    } else if (key.startsWith(OPEN_LIBS)) {
      pattern(key, OPEN_LIBS, value);
      if (!(value instanceof Located.Scalar scalar) || !BOOLEANS.contains(scalar.text())) {
        reading.error("wrong-type", place(key, value.at()), "expected \"true\" or \"false\"", null);
      }
    }
  }

  /** {@code group_Kind} as {@code group/Kind}. */
  private Optional<String> pattern(String key, String prefix, Located value) {
    String[] parts = key.substring(prefix.length()).split("_", -1);
    if (parts.length > 2 || parts[parts.length - 1].isEmpty()) {
      reading.error(
          "invalid-key",
          place(key, value.at()),
          "expected " + prefix + "GROUP_KIND or " + prefix + "KIND",
          null);
      return Optional.empty();
    }
    String pattern = String.join("/", parts);
    return Optional.of(pattern.equals("all") ? "*/*" : pattern);
  }

  private void script(String pattern, String key, Located value) {
    if (value instanceof Located.Scalar scalar && scalar.value() instanceof String text) {
      if (!text.isBlank()) {
        scripts.put(pattern, new Script(text, scalar, key, place(key, value.at())));
      }
    } else {
      reading.error("wrong-type", place(key, value.at()), "expected a script, text", null);
    }
  }

  /** A map of kinds, itself written as text. */
  private void olderForm(Located value) {
    if (!(value instanceof Located.Scalar scalar) || !(scalar.value() instanceof String text)) {
      reading.error("wrong-type", place(ALL, value.at()), "expected YAML as text", null);
      return;
    }
    Diagnostics own = new Diagnostics();
    Optional<Document> inner =
        text.isBlank()
            ? Optional.empty()
            : Document.parse(document.file(), text, Limits.PROVIDER, own);
    own.all()
        .forEach(
            found ->
                reading.error(
                    found.code(),
                    place(ALL, lineAt(scalar, text, found.line())),
                    found.message(),
                    found.hint()));
    inner.ifPresent(
        document ->
            document
                .section(reading.diagnostics())
                .plain()
                .keySet()
                .forEach(kind -> olderEntry(scalar, text, document, kind)));
  }

  private void olderEntry(Located.Scalar outer, String all, Document inner, String kind) {
    Optional<Located> script = inner.at(Path.of(kind, "health.lua"));
    if (script.isPresent()
        && script.get() instanceof Located.Scalar scalar
        && scalar.value() instanceof String text
        && !text.isBlank()) {
      Position at = lineAt(outer, all, scalar.at().line());
      scripts.put(kind, new Script(text, scalar, ALL + " " + kind, place(ALL, at)));
    }
  }

  /** Where a line of a text that is a value stands in the file. */
  private static Position lineAt(Located.Scalar written, String text, int line) {
    int offset = 0;
    for (int i = 1; i < line && offset >= 0; i++) {
      offset = text.indexOf('\n', offset) + 1;
      if (offset == 0) {
        return written.at();
      }
    }
    return written.place().at(text, Math.min(offset, text.length()));
  }

  private void add(String pattern, Script script) {
    boolean inner = script.key().startsWith(ALL + " ");
    reading.addScript(
        document.file() + " " + script.key(),
        KindPattern.ofKey(pattern),
        script.text(),
        script.place(),
        line -> inner ? script.place().at() : lineAt(script.written(), script.text(), line));
  }
}
