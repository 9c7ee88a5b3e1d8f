package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.ShellCursor.Misplaced;
import dev.slipway.engine.workflow.ShellCursor.Reason;
import dev.slipway.engine.workflow.ShellScanner.Dialect;
import dev.slipway.engine.workflow.ShellText.Nature;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.engine.workflow.TemplateScan.Part;
import dev.slipway.engine.workflow.TemplateScan.Voice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks, when a provider loads, at every place where a value would meet code. The branches of a
 * template are read one after the other, which is close enough here: the same check runs again on
 * what a template really emits.
 */
record CodeCheck(Section section, List<Parameter> parameters, Set<String> steps) {
  private static final Pattern PARAMETER = Pattern.compile("\\$?\\.?parameters\\.([A-Za-z0-9_-]+)");
  private static final Pattern NUMBER =
      Pattern.compile(
          "-?[0-9.]+|.*\\|\\s*(int|int64|float64|len)|(int|int64|len|add|sub|mul|div)\\s.*");

  /** One emitting part and where it starts. */
  private record Site(int offset) {}

  void script(Located.Scalar scalar, Path path, @Nullable String interpreter) {
    String text = code(scalar);
    ShellText.Builder builder = new ShellText.Builder();
    List<Site> sites = new ArrayList<>();
    boolean branches = false;
    for (Part part : TemplateScan.parts(text, new Holes.InScript(steps))) {
      switch (part) {
        case Part.Plain plain -> builder.text(plain.text());
        case Part.Action action when action.voice() == Voice.SILENT -> branches = true;
        case Part.Action action -> {
          builder.value(nature(action.inside()));
          sites.add(new Site(action.start()));
        }
        case Part.Hole hole -> {
          builder.value(nature(hole.inside()));
          sites.add(new Site(hole.start()));
        }
      }
    }
    if (sites.isEmpty()) {
      return;
    }
    Optional<Dialect> dialect = ScriptRendering.dialect(interpreter, text);
    if (dialect.isEmpty()) {
      int offset = sites.getFirst().offset();
      report(scalar, path, offset, ScriptRendering.NO_SHELL, ScriptRendering.NO_SHELL_HINT);
      return;
    }
    ShellScanner scanner = ScriptRendering.scan(builder.build(), dialect.get());
    for (Misplaced each : scanner.misplaced) {
      // Branches one after the other may look unclosed; what is rendered is scanned again.
      if (each.reason() == Reason.PLACE || !branches) {
        report(scalar, path, sites.get(each.value()).offset(), each.message(), each.hint());
      }
    }
    for (int i = 0; i < sites.size(); i++) {
      int offset = sites.get(i).offset();
      ShellLint.warning(scanner, i).ifPresent(message -> warn(scalar, path, offset, message));
    }
  }

  private static String code(Located.Scalar scalar) {
    return (String) Objects.requireNonNull(scalar.plain(), "callers hand over texts only");
  }

  private Nature nature(String expression) {
    Matcher parameter = PARAMETER.matcher(expression);
    if (parameter.matches()) {
      return parameters.stream()
          .filter(each -> each.name().equals(parameter.group(1)))
          .filter(
              each -> each.type() == Parameter.Type.INTEGER || each.type() == Parameter.Type.NUMBER)
          .findFirst()
          .map(_ -> Nature.NUMBER)
          .orElse(Nature.TEXT);
    }
    return NUMBER.matcher(expression).matches() ? Nature.NUMBER : Nature.TEXT;
  }

  void sql(Located value, Path path) {
    if (value instanceof Located.Sequence list) {
      for (int i = 0; i < list.items().size(); i++) {
        sql(list.items().get(i), path.child(i));
      }
    } else if (value instanceof Located.Scalar scalar && scalar.plain() instanceof String text) {
      statement(scalar, path, text);
    }
  }

  private void statement(Located.Scalar scalar, Path path, String text) {
    SqlReader reader = new SqlReader();
    int bound = 0;
    for (Part part : TemplateScan.parts(text, new Holes.All())) {
      if (part instanceof Part.Plain plain) {
        reader.read(plain.text());
      } else if (!(part instanceof Part.Action action && action.voice() == Voice.SILENT)) {
        bound++;
        if (reader.place() != SqlReader.Place.CODE) {
          String message = "a value stands in " + reader.place().words;
          report(scalar, path, part.start(), message, reader.place().advice);
        } else if (reader.isUnclear()) {
          report(scalar, path, part.start(), SqlRendering.UNCLEAR, SqlRendering.UNCLEAR_HINT);
        }
      }
    }
    if (bound > 0 && reader.marks() > 0) {
      report(scalar, path, 0, SqlRendering.MIXED, SqlRendering.MIXED_HINT);
    }
  }

  private void warn(Located.Scalar scalar, Path path, int offset, String message) {
    Position at = scalar.place().at(code(scalar), offset);
    String file = section.document().file();
    section
        .diagnostics()
        .add(Diagnostic.warning("value-as-code", file, path, at, message, ShellLint.HINT));
  }

  private void report(
      Located.Scalar scalar, Path path, int offset, String message, @Nullable String hint) {
    section
        .diagnostics()
        .add(
            Diagnostic.error(
                "unsafe-value",
                section.document().file(),
                path,
                scalar.place().at(code(scalar), offset),
                message,
                hint));
  }
}
