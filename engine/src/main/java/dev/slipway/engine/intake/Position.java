package dev.slipway.engine.intake;

/** A place in a text: line and column, both counted from 1, columns in characters. */
public record Position(int line, int column) implements Comparable<Position> {
  public static final Position START = new Position(1, 1);

  public Position {
    if (line < 1 || column < 1) {
      throw new IllegalArgumentException("positions start at 1:1, not " + line + ":" + column);
    }
  }

  @Override
  public int compareTo(Position other) {
    return line != other.line
        ? Integer.compare(line, other.line)
        : Integer.compare(column, other.column);
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
