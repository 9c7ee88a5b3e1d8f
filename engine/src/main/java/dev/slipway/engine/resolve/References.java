package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the values of {@code ${env:NAME}} and {@code ${file:PATH}} into a configuration document.
 */
final class References {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^}]*)}");
  private static final int LARGEST_FILE = 64 * 1024;

  private final Document document;
  private final java.nio.file.Path base;
  private final Function<String, @Nullable String> environment;
  private final Diagnostics diagnostics;
  private final Map<java.nio.file.Path, String> files = new LinkedHashMap<>();

  References(
      Document document,
      java.nio.file.Path base,
      Function<String, @Nullable String> environment,
      Diagnostics diagnostics) {
    this.document = document;
    this.base = base;
    this.environment = environment;
    this.diagnostics = diagnostics;
  }

  Document resolved() {
    return document.with(resolve(Path.ROOT, document.root()));
  }

  /** What was read, and what each file looked like just before. */
  Map<java.nio.file.Path, String> files() {
    return Collections.unmodifiableMap(files);
  }

  /** Changes when the file is written or replaced. */
  static String stamp(java.nio.file.Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return "missing";
    }
  }

  private Located resolve(Path path, Located value) {
    return switch (value) {
      case Located.Mapping map -> {
        var entries = new LinkedHashMap<String, Located.Entry>();
        map.entries()
            .forEach(
                (k, e) ->
                    entries.put(
                        k, new Located.Entry(e.keyAt(), resolve(path.child(k), e.value()))));
        yield new Located.Mapping(entries, map.at());
      }
      case Located.Sequence list -> {
        List<Located> items = new ArrayList<>();
        list.items().forEach(i -> items.add(resolve(path.child(items.size()), i)));
        yield new Located.Sequence(items, list.at());
      }
      case Located.Scalar scalar ->
          scalar.plain() instanceof String text && text.contains("${")
              ? replaced(path, scalar, text)
              : scalar;
    };
  }

  private Located.Scalar replaced(Path path, Located.Scalar scalar, String text) {
    Matcher matcher = REFERENCE.matcher(text);
    StringBuilder out = new StringBuilder();
    while (matcher.find()) {
      String value =
          matcher.group(1).equals("env")
              ? fromEnvironment(path, scalar, matcher.group(2))
              : fromFile(path, scalar, matcher.group(2));
      matcher.appendReplacement(out, Matcher.quoteReplacement(value));
    }
    matcher.appendTail(out);
    return new Located.Scalar(out.toString(), out.toString(), scalar.at());
  }

  private String fromEnvironment(Path path, Located at, String name) {
    String value = environment.apply(name);
    if (value == null) {
      report(path, at, "environment variable '" + name + "' is not set", "Set it for the server.");
      return "";
    }
    return value;
  }

  private String fromFile(Path path, Located at, String name) {
    try {
      java.nio.file.Path file = base.resolve(name);
      files.put(file, stamp(file));
      if (Files.size(file) > LARGEST_FILE) {
        report(path, at, "file '" + name + "' is larger than 64 KiB", "Point to a secret's file.");
        return "";
      }
      return Files.readString(file).stripTrailing();
    } catch (IOException | InvalidPathException e) {
      report(
          path,
          at,
          "file '" + name + "' cannot be read",
          "Paths are relative to the configuration.");
      return "";
    }
  }

  private void report(Path path, Located at, String message, String hint) {
    diagnostics.add(
        Diagnostic.error("unresolved-reference", document.file(), path, at.at(), message, hint));
  }
}
