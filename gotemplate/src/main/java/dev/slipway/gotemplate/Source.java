package dev.slipway.gotemplate;

import java.util.Arrays;

/** The text of a template, and where its lines start. */
final class Source {
  private final String name;
  private final String text;
  private final int[] lineStarts;

  Source(String name, String text) {
    this.name = name;
    this.text = text;
    this.lineStarts =
        java.util.stream.IntStream.concat(
                java.util.stream.IntStream.of(0),
                java.util.stream.IntStream.range(0, text.length())
                    .filter(i -> text.charAt(i) == '\n')
                    .map(i -> i + 1))
            .toArray();
  }

  String text() {
    return text;
  }

  Position position(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    int line = found >= 0 ? found : -found - 2;
    int column = text.codePointCount(lineStarts[line], Math.min(offset, text.length()));
    return new Position(name, line + 1, column + 1);
  }

  Place place(int start, int end) {
    return new Place(this, start, end);
  }

  /** A piece of the text: where something stands, and how it is written. */
  record Place(Source source, int start, int end) {
    private static final int SHOWN = 80;

    Position position() {
      return source.position(start);
    }

    /** The text, shortened if it is long. */
    String excerpt() {
      String full = source.text.substring(start, Math.min(end, source.text.length())).strip();
      return full.length() <= SHOWN ? full : full.substring(0, SHOWN) + "…";
    }

    Place to(Place last) {
      return new Place(source, start, last.end);
    }
  }
}
