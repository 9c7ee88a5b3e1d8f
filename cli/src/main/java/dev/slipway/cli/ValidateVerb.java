package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.value.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks files without a server. */
@Command(name = "validate", description = "Checks Score, provider and workflow files, offline.")
final class ValidateVerb extends Verb {
  @Parameters(paramLabel = "FILE", arity = "1..*")
  List<Path> files;

  @Override
  public Integer call() {
    List<Map<String, Object>> results = new ArrayList<>();
    boolean allValid = true;
    Format format = format(Format.TABLE);
    for (Path file : files) {
      List<Diagnostic> diagnostics = Validation.of(file);
      boolean valid = diagnostics.stream().noneMatch(Diagnostic::isError);
      allValid &= valid;
      results.add(result(file, valid, diagnostics));
      if (format == Format.TABLE || format == Format.WIDE) {
        diagnostics.forEach(d -> out.println(d.text()));
        out.println(file + ": " + (valid ? "valid" : "invalid"));
      }
    }
    switch (format) {
      case JSON -> out.println(Json.pretty(results));
      case YAML -> out.print(Yaml.write(results));
      case NAME ->
          results.stream()
              .filter(r -> Boolean.TRUE.equals(r.get("valid")))
              .forEach(r -> out.println(r.get("file")));
      case TABLE, WIDE -> {}
    }
    return (allValid ? ExitCode.OK : ExitCode.FAILED).code();
  }

  private static Map<String, Object> result(Path file, boolean valid, List<Diagnostic> found) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("file", file.toString());
    result.put("valid", valid);
    result.put("diagnostics", found.stream().map(ValidateVerb::diagnostic).toList());
    return result;
  }

  private static Map<String, Object> diagnostic(Diagnostic d) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("severity", d.severity().name().toLowerCase(Locale.ROOT));
    one.put("code", d.code());
    one.put("path", d.path());
    one.put("line", (long) d.line());
    one.put("column", (long) d.column());
    one.put("message", d.message());
    one.put("hint", d.hint());
    return one;
  }
}
