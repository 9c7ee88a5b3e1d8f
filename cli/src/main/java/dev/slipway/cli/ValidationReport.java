package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.value.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The findings about files, in the requested format. */
final class ValidationReport {
  /** What warnings mean. */
  enum Warnings {
    PASS,
    FAIL
  }

  private record Checked(Path file, boolean valid, List<Diagnostic> found) {}

  private final Warnings warnings;
  private final List<Checked> all = new ArrayList<>();

  ValidationReport(Warnings warnings) {
    this.warnings = warnings;
  }

  void add(Path file, List<Diagnostic> found) {
    boolean valid = found.stream().noneMatch(d -> warnings == Warnings.FAIL || d.isError());
    all.add(new Checked(file, valid, found));
  }

  ExitCode exitCode() {
    return all.stream().allMatch(Checked::valid) ? ExitCode.OK : ExitCode.FAILED;
  }

  void show(Verb verb) {
    List<Map<String, Object>> results = all.stream().map(ValidationReport::result).toList();
    switch (verb.format(Format.TABLE)) {
      case JSON -> verb.out.println(Json.pretty(results));
      case YAML -> verb.out.print(Yaml.write(results));
      case NAME -> all.stream().filter(Checked::valid).forEach(c -> verb.out.println(c.file()));
      case TABLE, WIDE ->
          all.forEach(
              c -> {
                c.found().forEach(d -> verb.out.println(d.text()));
                verb.out.println(c.file() + ": " + (c.valid() ? "valid" : "invalid"));
              });
    }
  }

  private static Map<String, Object> result(Checked checked) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("file", checked.file().toString());
    result.put("valid", checked.valid());
    result.put("diagnostics", checked.found().stream().map(ValidationReport::diagnostic).toList());
    return result;
  }

  private static Map<String, Object> diagnostic(Diagnostic d) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("severity", d.severity().name().toLowerCase(Locale.ROOT));
    one.put("code", d.code());
    one.put("file", d.file());
    one.put("path", d.path());
    one.put("line", (long) d.line());
    one.put("column", (long) d.column());
    one.put("message", d.message());
    one.put("hint", d.hint());
    return one;
  }
}
