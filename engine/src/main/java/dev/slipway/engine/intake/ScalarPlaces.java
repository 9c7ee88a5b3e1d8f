package dev.slipway.engine.intake;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Finds out, from the source text, where the characters of scalars stand. */
final class ScalarPlaces {
  private final String text;
  private @Nullable List<String> lines;

  ScalarPlaces(String text) {
    this.text = text;
  }

  TextPlace of(ScalarEvent event) {
    Mark start = event.getStartMark().orElse(null);
    Mark end = event.getEndMark().orElse(null);
    Position at = start == null ? Position.START : YamlReader.position(start);
    if (start == null || end == null || event.getValue().isEmpty()) {
      return TextPlace.unknown(at);
    }
    return event.isLiteral() ? block(at) : oneLine(event, at, start, end);
  }

  private static TextPlace oneLine(ScalarEvent event, Position at, Mark start, Mark end) {
    int quote = event.isPlain() ? 0 : 1;
    int written = end.getIndex() - start.getIndex() - 2 * quote;
    String value = event.getValue();
    boolean asWritten =
        start.getLine() == end.getLine()
            && !event.isFolded()
            && written == value.codePointCount(0, value.length());
    return asWritten
        ? new TextPlace(new Position(at.line(), at.column() + quote), at.column() + quote)
        : TextPlace.unknown(at);
  }

  private TextPlace block(Position header) {
    List<String> all = lines();
    for (int i = header.line(); i < all.size(); i++) {
      String line = all.get(i);
      if (!line.isBlank()) {
        int indent = line.length() - line.stripLeading().length();
        boolean explicit = all.get(header.line() - 1).matches(".*\\|[-+]?[0-9].*");
        return explicit
            ? TextPlace.unknown(header)
            : new TextPlace(new Position(header.line() + 1, indent + 1), indent + 1);
      }
    }
    return TextPlace.unknown(header);
  }

  private List<String> lines() {
    if (lines == null) {
      lines = new ArrayList<>(text.lines().toList());
    }
    return lines;
  }
}
