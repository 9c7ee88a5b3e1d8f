package dev.slipway.engine.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a value stands inside a document: map keys (String) and list indexes (Integer) from the
 * root. Prints as people write it: {@code resources.db.type}, {@code
 * containers.main.files."/etc/x".content}, {@code containers.main.args[0]}.
 */
public record Path(List<Object> segments) {
  public static final Path ROOT = new Path(List.of());
  private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");

  public Path {
    segments = List.copyOf(segments);
  }

  /** {@code Path.of("resources", "db", "type")}; an Integer is a list index. */
  public static Path of(Object... segments) {
    return new Path(List.of(segments));
  }

  public Path child(String key) {
    return append(key);
  }

  public Path child(int index) {
    return append(index);
  }

  /** This path continued by another one. */
  public Path descend(Path below) {
    var longer = new ArrayList<>(segments);
    longer.addAll(below.segments);
    return new Path(longer);
  }

  public boolean isRoot() {
    return segments.isEmpty();
  }

  /** The enclosing value; the root is its own parent. */
  public Path parent() {
    return isRoot() ? this : new Path(segments.subList(0, segments.size() - 1));
  }

  private Path append(Object segment) {
    Object[] longer = segments.toArray(new Object[segments.size() + 1]);
    longer[segments.size()] = segment;
    return new Path(List.of(longer));
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (Object segment : segments) {
      switch (segment) {
        case Integer index -> text.append('[').append(index).append(']');
        case String key -> {
          text.append(text.isEmpty() ? "" : ".");
          text.append(BARE.matcher(key).matches() ? key : '"' + key.replace("\"", "\\\"") + '"');
        }
        default -> throw new IllegalStateException("not a path segment: " + segment);
      }
    }
    return text.toString();
  }
}
