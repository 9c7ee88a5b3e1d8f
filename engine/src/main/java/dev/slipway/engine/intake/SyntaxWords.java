package dev.slipway.engine.intake;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Rewrites the YAML parser's errors for authors of documents. */
final class SyntaxWords {
  private SyntaxWords() {}

  static String explain(MarkedYamlEngineException e) {
    String problem = e.getProblem() == null ? "unreadable here" : e.getProblem().strip();
    return "not valid YAML: " + problem.replaceAll("\\s+", " ");
  }

  static @Nullable String hint(MarkedYamlEngineException e) {
    String problem = String.valueOf(e.getProblem()).toLowerCase(Locale.ROOT);
    if (problem.contains("\\t") || problem.contains("tab")) {
      return "Indent with spaces; YAML does not allow tabs.";
    }
    if (problem.contains("mapping values are not allowed")) {
      return "A value that contains ': ' needs quotes; or the line above is indented differently.";
    }
    if (problem.contains("expected <block end>")) {
      return "Check the indentation: keys of one map start in the same column.";
    }
    if (problem.contains("end of stream") || problem.contains("unexpected end")) {
      return "A quote or bracket is still open.";
    }
    return null;
  }
}
