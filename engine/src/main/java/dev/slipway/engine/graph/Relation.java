package dev.slipway.engine.graph;

import java.util.Locale;

/** How two nodes belong together; an edge leads from the first to the second. */
public enum Relation {
  /** The second is a part of the first. */
  CONTAINS,
  /** The first needs the second to be made: a resource its provider. */
  REQUIRES,
  /** The first carries the second out: a provider a run. */
  EXECUTES,
  /** The first starts after the second is healthy. */
  DEPENDS_ON,
  /** The first reads values of the second. */
  BINDS;

  /** As users see it: {@code depends-on}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads what {@link #text} wrote. */
  public static Relation parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
