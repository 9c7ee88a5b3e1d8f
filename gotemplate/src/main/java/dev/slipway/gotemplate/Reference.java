package dev.slipway.gotemplate;

import java.util.List;

/**
 * A field chain that a template mentions.
 *
 * @param root where the chain starts
 * @param path the names, for example {@code steps, make-redis, output, host}
 * @param position where the chain starts in the text
 */
public record Reference(Root root, List<String> path, Position position) {
  public Reference {
    path = List.copyOf(path);
  }

  /** What the first name of a chain is looked up in. */
  public enum Root {
    /** The data given to execute: {@code $.a.b}, or {@code .a.b} where dot is still the data. */
    DATA,
    /** Dot inside range, with or a defined template: what it is depends on the execution. */
    DOT,
    /** A variable or the result of a parenthesised pipeline. */
    COMPUTED
  }
}
