package dev.slipway.engine.intake;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong, or merely old-fashioned, in something a person wrote.
 *
 * @param code stable kebab-case word for programs, such as {@code unknown-field}
 * @param path where in the document, printed like {@link Path}; empty for the whole document
 * @param message what is wrong, one phrase without a full stop at its end
 * @param hint what to do about it, one sentence, or null
 */
public record Diagnostic(
    Severity severity,
    String code,
    String path,
    String file,
    int line,
    int column,
    String message,
    @Nullable String hint) {

  public static Diagnostic error(
      String code, String file, Path path, Position at, String message, @Nullable String hint) {
    return new Diagnostic(
        Severity.ERROR, code, path.toString(), file, at.line(), at.column(), message, hint);
  }

  public static Diagnostic warning(
      String code, String file, Path path, Position at, String message, @Nullable String hint) {
    return new Diagnostic(
        Severity.WARNING, code, path.toString(), file, at.line(), at.column(), message, hint);
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /**
   * One line for people: {@code score.yaml:12:9: resources.db.type: no provider for 'postgress'.
   * Did you mean 'postgres' (database-team)?} Warnings say so after the position.
   */
  public String text() {
    var text = new StringBuilder(file).append(':').append(line).append(':').append(column);
    text.append(": ").append(isError() ? "" : "warning: ");
    text.append(path.isEmpty() ? "" : path + ": ").append(message);
    return hint == null ? text.toString() : text.append(". ").append(hint).toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
