package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellCursor.Misplaced;
import dev.slipway.engine.workflow.ShellScanner.Dialect;
import dev.slipway.engine.workflow.ShellText.Nature;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts values into shell scripts without ever making them part of the script: each becomes an
 * environment variable, and the script refers to it in the way that fits the place. So even where a
 * script turns out to be broken, no shell ever reads a value as code.
 */
final class ScriptRendering {
  /** The longest that Linux passes as one environment variable, name included, is 128 KiB. */
  private static final int MOST_BYTES = 131_000;

  private static final int MOST_BYTES_TOGETHER = 1 << 20;
  private static final String PREFIX = "SLIPWAY_V";
  private static final Set<String> SH = Set.of("sh", "dash", "ash", "busybox");

  private ScriptRendering() {}

  /** The shell that reads the script; empty when it is not a supported shell. */
  static Optional<Dialect> dialect(@Nullable String interpreter, String script) {
    String line = interpreter;
    if (line == null || line.isBlank()) {
      line = script.startsWith("#!") ? script.substring(2).lines().findFirst().orElse("") : "bash";
    }
    for (String word : line.strip().split("\\s+")) {
      String name = word.substring(word.lastIndexOf('/') + 1);
      if (name.equals("bash")) {
        return Optional.of(Dialect.BASH);
      }
      if (SH.contains(name)) {
        return Optional.of(Dialect.SH);
      }
      if (!name.equals("env") && !name.startsWith("-") && !name.contains("=")) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  static ShellScanner scan(ShellText text, Dialect dialect) {
    ShellScanner scanner = new ShellScanner(text, dialect);
    scanner.scan();
    return scanner;
  }

  static RenderedScript render(List<Piece> pieces, @Nullable String interpreter) {
    if (pieces.stream().noneMatch(Piece.Emitted.class::isInstance)) {
      return new RenderedScript(authored(pieces), Map.of());
    }
    Dialect dialect =
        dialect(interpreter, authored(pieces.subList(0, 1)))
            .orElseThrow(() -> new RenderingException(NO_SHELL, NO_SHELL_HINT));
    ShellText.Builder builder = new ShellText.Builder();
    List<String> values = new ArrayList<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Authored(String text) -> builder.text(text);
        case Piece.Emitted emitted -> {
          boolean number = emitted.value() == null || emitted.value() instanceof Number;
          builder.value(number ? Nature.NUMBER : Nature.TEXT);
          values.add(TextTemplate.print(emitted));
        }
      }
    }
    ShellText text = builder.build();
    return assemble(text, checked(text, dialect), values);
  }

  static final String NO_SHELL = "templates work in scripts for sh and bash only";
  static final String NO_SHELL_HINT =
      "Pass the value through 'env' or 'stdin' and read it from there.";

  private static ShellScanner checked(ShellText text, Dialect dialect) {
    ShellScanner scanner = scan(text, dialect);
    if (!scanner.misplaced.isEmpty()) {
      Misplaced first = scanner.misplaced.getFirst();
      throw new RenderingException(first.message(), first.hint());
    }
    return scanner;
  }

  private static RenderedScript assemble(
      ShellText text, ShellScanner scanner, List<String> values) {
    Map<String, String> variables = new LinkedHashMap<>();
    ScriptText script = new ScriptText(text, scanner.documents.verbatim);
    long bytes = 0;
    for (int at = 0; at < text.length(); at = script.next(at)) {
      int code = text.codes()[at];
      if (code >= 0) {
        continue;
      }
      int number = ShellText.valueOf(code);
      String value = values.get(number);
      bytes += variables.containsKey(value) ? 0 : size(value);
      ShellPlace place = scanner.places[number];
      if (place == null) {
        throw new RenderingException("the script cannot be understood: a value got lost", null);
      }
      // A value that is used twice travels once.
      String variable = variables.computeIfAbsent(value, _ -> PREFIX + (variables.size() + 1));
      script.reference(written(place, variable, value));
    }
    if (bytes > MOST_BYTES_TOGETHER) {
      throw new RenderingException("the values of a script have more than 1 MiB together", null);
    }
    Map<String, String> env = new LinkedHashMap<>();
    variables.forEach((value, variable) -> env.put(variable, value));
    return new RenderedScript(script.toString(), env);
  }

  private static String written(ShellPlace place, String variable, String value) {
    boolean positive = place == ShellPlace.ARITHMETIC && !value.startsWith("-");
    return positive ? "${" + variable + "}" : place.reference(variable);
  }

  private static int size(String value) {
    if (value.indexOf('\0') >= 0) {
      throw new RenderingException(
          "a value contains a NUL character, which no program can be given", null);
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw new RenderingException(
          "a value of " + bytes + " bytes is too long for an environment variable",
          "Pass it through 'stdin'.");
    }
    return bytes;
  }

  private static String authored(List<Piece> pieces) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      text.append(piece instanceof Piece.Authored(String authored) ? authored : "");
    }
    return text.toString();
  }
}
