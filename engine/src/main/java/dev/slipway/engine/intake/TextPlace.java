package dev.slipway.engine.intake;

/**
 * Maps the n-th character of a scalar's value to its position, so that a placeholder inside a text
 * block gets its own line and column.
 *
 * @param start where the first character of the value stands
 * @param lineColumn the column at which every further line of the value starts; 0 when offsets
 *     cannot be mapped (escapes, folding), then every offset is at the start
 */
public record TextPlace(Position start, int lineColumn) {
  static TextPlace unknown(Position at) {
    return new TextPlace(at, 0);
  }

  public Position at(String value, int offset) {
    if (lineColumn == 0) {
      return start;
    }
    int line = start.line();
    int lineStart = 0;
    for (int i = value.indexOf('\n'); i >= 0 && i < offset; i = value.indexOf('\n', i + 1)) {
      line++;
      lineStart = i + 1;
    }
    int column = (line == start.line() ? start.column() : lineColumn);
    return new Position(line, column + value.codePointCount(lineStart, offset));
  }
}
