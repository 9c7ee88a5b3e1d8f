package dev.slipway.applications.score;

import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders, taken apart once: literal pieces and placeholders in order. {@code $$}
 * is a dollar, so {@code $${x}} is the text <code>${x}</code>; a dollar before anything else stays.
 *
 * <p>Values that come in through a placeholder are data: they are never scanned for placeholders
 * again.
 */
public final class Substitution {
  /** Where the value of a placeholder is found when the time has come. */
  @FunctionalInterface
  public interface Lookup {
    Answer find(ScorePlaceholder placeholder);
  }

  /** What a {@link Lookup} says. A value may be null: an output that is null. */
  public sealed interface Answer {
    record Value(@Nullable Object value) implements Answer {}

    /** There is no such thing; the message says what is missing. */
    record Missing(ScorePlaceholder placeholder, String message, @Nullable String hint)
        implements Answer {}
  }

  /** A resolved value, and everything that could not be resolved in it (then the value is void). */
  public record Resolution(@Nullable Object value, List<Answer.Missing> missing) {
    public boolean complete() {
      return missing.isEmpty();
    }
  }

  /** A placeholder and where it stands: offset in its text, path of that text below the value. */
  public record Reference(ScorePlaceholder placeholder, Path path, int offset) {}

  /** Something wrong, or old-fashioned, in a text: the offset where it starts. */
  public record Problem(
      Severity severity, int offset, String code, String message, @Nullable String hint) {}

  sealed interface Piece {
    record Literal(String text) implements Piece {}

    record Hole(ScorePlaceholder placeholder, int offset) implements Piece {}
  }

  private final List<Piece> pieces;
  private final List<Problem> problems;

  Substitution(List<Piece> pieces, List<Problem> problems) {
    this.pieces = List.copyOf(pieces);
    this.problems = List.copyOf(problems);
  }

  /** Takes a text apart; what is wrong in it is in {@link #problems()}. */
  public static Substitution parse(String text) {
    return new PlaceholderScanner(text).scan();
  }

  public List<Problem> problems() {
    return problems;
  }

  public boolean hasPlaceholders() {
    return pieces.stream().anyMatch(Piece.Hole.class::isInstance);
  }

  /** The placeholders of this text in order; their path is the root. */
  public List<Reference> references() {
    return references(Path.ROOT);
  }

  private List<Reference> references(Path path) {
    var found = new ArrayList<Reference>();
    for (Piece piece : pieces) {
      if (piece instanceof Piece.Hole hole) {
        found.add(new Reference(hole.placeholder(), path, hole.offset()));
      }
    }
    return found;
  }

  /** All placeholders in the strings of a plain value, however deep; map keys are not looked at. */
  public static List<Reference> references(@Nullable Object value) {
    var found = new ArrayList<Reference>();
    collect(value, Path.ROOT, found);
    return found;
  }

  private static void collect(@Nullable Object value, Path path, List<Reference> found) {
    switch (value) {
      case String text -> found.addAll(parse(text).references(path));
      case Map<?, ?> map ->
          map.forEach((key, inner) -> collect(inner, path.child((String) key), found));
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          collect(list.get(i), path.child(i), found);
        }
      }
      case null, default -> {}
    }
  }

  /** The text with values in place; anything but a string goes in as JSON. */
  public Resolution text(Lookup lookup) {
    var text = new StringBuilder();
    var missing = new ArrayList<Answer.Missing>();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Literal literal -> text.append(literal.text());
        case Piece.Hole hole -> {
          switch (lookup.find(hole.placeholder())) {
            case Answer.Value(String found) -> text.append(found);
            case Answer.Value(var found) -> text.append(Canonical.text(found));
            case Answer.Missing nothing -> missing.add(nothing);
          }
        }
      }
    }
    return new Resolution(text.toString(), missing);
  }

  /**
   * A plain value with all its strings resolved, however deep. A string that is exactly one
   * placeholder becomes the value itself and keeps its JSON type.
   */
  public static Resolution resolve(@Nullable Object value, Lookup lookup) {
    var missing = new ArrayList<Answer.Missing>();
    return new Resolution(resolve(value, lookup, missing), missing);
  }

  private static @Nullable Object resolve(
      @Nullable Object value, Lookup lookup, List<Answer.Missing> missing) {
    return switch (value) {
      case String text -> parse(text).typed(lookup, missing);
      case Map<?, ?> map -> {
        var resolved = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((key, inner) -> resolved.put((String) key, resolve(inner, lookup, missing)));
        yield resolved;
      }
      case List<?> list -> {
        var resolved = new ArrayList<@Nullable Object>(list.size());
        list.forEach(inner -> resolved.add(resolve(inner, lookup, missing)));
        yield resolved;
      }
      case null -> null;
      default -> value;
    };
  }

  private @Nullable Object typed(Lookup lookup, List<Answer.Missing> missing) {
    if (pieces.size() == 1 && pieces.getFirst() instanceof Piece.Hole hole) {
      return switch (lookup.find(hole.placeholder())) {
        case Answer.Value(var found) -> found;
        case Answer.Missing nothing -> {
          missing.add(nothing);
          yield null;
        }
      };
    }
    Resolution resolution = text(lookup);
    missing.addAll(resolution.missing());
    return resolution.value();
  }
}
