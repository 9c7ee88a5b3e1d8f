package dev.slipway.applications.score;

import dev.slipway.applications.score.Substitution.Piece;
import dev.slipway.applications.score.Substitution.Problem;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Severity;
import dev.slipway.engine.intake.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a text from left to right into the pieces of a {@link Substitution}. */
final class PlaceholderScanner {
  private static final List<String> ROOTS = List.of("metadata", "resources");
  private static final List<String> ACCEPTED_ROOTS =
      List.of("metadata", "resources", "environment", "containers");
  private static final List<String> ENVIRONMENT_FIELDS = List.of("name", "type");
  private static final String ESCAPE = "Write $${…} if the text itself is meant.";

  private final String text;
  private final StringBuilder literal = new StringBuilder();
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  PlaceholderScanner(String text) {
    this.text = text;
  }

  Substitution scan() {
    int at = 0;
    for (int dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
      literal.append(text, at, dollar);
      at = dollar + 1;
      char next = at < text.length() ? text.charAt(at) : ' ';
      switch (next) {
        case '$' -> {
          literal.append('$');
          at++;
        }
        case '{' -> at = hole(dollar);
        default -> literal.append('$');
      }
    }
    literal.append(text, at, text.length());
    flush();
    return new Substitution(pieces, problems);
  }

  /** Reads one placeholder and returns the offset after it. */
  private int hole(int start) {
    int close = text.indexOf('}', start);
    if (close < 0) {
      // Nothing after this can be closed either: looking again would cost the square of the length.
      String shown = Words.shortened(text.substring(start));
      error(start, "the placeholder '" + shown + "' is not closed with '}'", ESCAPE);
      literal.append(text, start, text.length());
      return text.length();
    }
    String inside = text.substring(start + 2, close);
    Optional<ScorePlaceholder> placeholder = placeholder(inside, start);
    placeholder.ifPresent(
        found -> {
          flush();
          pieces.add(new Piece.Hole(found, start));
        });
    return close + 1;
  }

  private Optional<ScorePlaceholder> placeholder(String inside, int start) {
    List<String> keys = split(inside);
    if (keys.stream().anyMatch(String::isEmpty)) {
      String message = inside.isBlank() ? "the placeholder '${}' is empty" : emptyPart(inside);
      error(start, message, ESCAPE);
      return Optional.empty();
    }
    List<String> rest = keys.subList(1, keys.size());
    return Optional.ofNullable(
        switch (keys.getFirst()) {
          case "metadata" -> metadata(inside, rest, start);
          case "resources" -> resource(inside, rest, start);
          case "environment" -> environment(inside, rest, start);
          case "containers" -> image(inside, rest, start);
          default -> unknownRoot(inside, keys.getFirst(), start);
        });
  }

  private @Nullable ScorePlaceholder metadata(String inside, List<String> rest, int start) {
    return rest.isEmpty()
        ? incomplete(inside, "Name a key, such as ${metadata.name}.", start)
        : new ScorePlaceholder.Metadata(rest);
  }

  private @Nullable ScorePlaceholder resource(String inside, List<String> rest, int start) {
    if (rest.isEmpty()) {
      return incomplete(inside, "Name a resource, such as ${resources.db.host}.", start);
    }
    String resource = rest.getFirst();
    List<String> keys = rest.subList(1, rest.size());
    if (keys.size() > 1 && keys.getFirst().equals("outputs")) {
      keys = keys.subList(1, keys.size());
      legacy(start, inside, new ScorePlaceholder.Output(resource, keys).toString());
    }
    return keys.isEmpty()
        ? new ScorePlaceholder.Id(resource)
        : new ScorePlaceholder.Output(resource, keys);
  }

  private @Nullable ScorePlaceholder environment(String inside, List<String> rest, int start) {
    if (rest.size() != 1 || !ENVIRONMENT_FIELDS.contains(rest.getFirst())) {
      return incomplete(inside, "Known are ${environment.name} and ${environment.type}.", start);
    }
    legacy(start, inside, null);
    return new ScorePlaceholder.Environment(rest.getFirst());
  }

  private @Nullable ScorePlaceholder image(String inside, List<String> rest, int start) {
    if (rest.size() != 2 || !rest.get(1).equals("image")) {
      return incomplete(inside, "Known is ${containers.<name>.image}, in params.", start);
    }
    legacy(start, inside, null);
    return new ScorePlaceholder.Image(rest.getFirst());
  }

  private @Nullable ScorePlaceholder unknownRoot(String inside, String root, int start) {
    String nearest = Nearest.hint(root.strip(), ACCEPTED_ROOTS);
    String message = shown(inside) + " does not start with " + Words.list(ROOTS);
    error(start, message, nearest == null ? ESCAPE : nearest);
    return null;
  }

  private @Nullable ScorePlaceholder incomplete(String inside, String hint, int start) {
    error(start, shown(inside) + " refers to nothing", hint);
    return null;
  }

  /** Splits at dots; {@code \.} is a dot inside a key. */
  private static List<String> split(String inside) {
    return inside.indexOf('\\') < 0 ? List.of(inside.split("\\.", -1)) : splitEscaped(inside);
  }

  private static List<String> splitEscaped(String inside) {
    var keys = new ArrayList<String>();
    var key = new StringBuilder();
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '\\' && i + 1 < inside.length() && inside.charAt(i + 1) == '.') {
        key.append('.');
        i++;
      } else if (c == '.') {
        keys.add(key.toString());
        key.setLength(0);
      } else {
        key.append(c);
      }
    }
    keys.add(key.toString());
    return keys;
  }

  private void flush() {
    if (!literal.isEmpty()) {
      pieces.add(new Piece.Literal(literal.toString()));
      literal.setLength(0);
    }
  }

  private static String emptyPart(String inside) {
    return shown(inside) + " has an empty part";
  }

  private static String shown(String inside) {
    return "'${" + Words.shortened(inside) + "}'";
  }

  private void error(int offset, String message, @Nullable String hint) {
    add(new Problem(Severity.ERROR, offset, "invalid-placeholder", message, hint));
  }

  private void legacy(int offset, String inside, @Nullable String instead) {
    String hint = instead == null ? null : "Write " + instead + ".";
    String message = shown(inside) + " is accepted but not part of Score";
    add(new Problem(Severity.WARNING, offset, "legacy-placeholder", message, hint));
  }

  private void add(Problem problem) {
    if (problems.size() < Diagnostics.MAX) {
      problems.add(problem);
    }
  }
}
