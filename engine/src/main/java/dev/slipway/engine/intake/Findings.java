package dev.slipway.engine.intake;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Writes what is found in one document into a collector. */
public record Findings(Document document, Diagnostics diagnostics) {

  public void error(String code, Path path, Position at, String message, @Nullable String hint) {
    report(Severity.ERROR, code, path, at, message, hint);
  }

  public void warning(String code, Path path, Position at, String message, @Nullable String hint) {
    report(Severity.WARNING, code, path, at, message, hint);
  }

  /** An error about a name: points at the key. */
  public void errorAtKey(String code, Path path, String message, @Nullable String hint) {
    error(code, path, document.keyPosition(path), message, hint);
  }

  /** An error about what stands behind a name: points at the value. */
  public void errorAtValue(String code, Path path, String message, @Nullable String hint) {
    error(code, path, document.position(path), message, hint);
  }

  public void missing(Path parent, Position at, String key) {
    error("missing-field", parent, at, "'" + key + "' is required", null);
  }

  public void wrongType(Path path, Located found, String expected, @Nullable String hint) {
    error("wrong-type", path, found.at(), Words.expected(expected, found), hint);
  }

  public void unknownField(Severity severity, Path path, Position keyAt, Collection<String> known) {
    String key = (String) path.segments().getLast();
    String message = "unknown field '" + Words.shortened(key) + "'";
    report(severity, "unknown-field", path, keyAt, message, Nearest.hintOrList(key, known));
  }

  public void report(
      Severity severity,
      String code,
      Path path,
      Position at,
      String message,
      @Nullable String hint) {
    diagnostics.add(
        new Diagnostic(
            severity,
            code,
            path.toString(),
            document.file(),
            at.line(),
            at.column(),
            message,
            hint));
  }
}
