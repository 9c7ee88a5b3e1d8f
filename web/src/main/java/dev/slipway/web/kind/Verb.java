package dev.slipway.web.kind;

import java.util.Locale;

/** What can be done with objects of a kind. */
public enum Verb {
  LIST,
  GET,
  DELETE,
  /** Why an object is not as it should be. */
  EXPLAIN,
  /** The object in the graph. */
  GRAPH,
  /** The same graph as text, in the format that the variable {@code format} names. */
  EXPORT,
  /** The stream that holds the events about an object, among others. */
  EVENTS,
  /** Waiting until an object is done, or gone; needs states or a route to delete. */
  WAIT;

  /** As the table spells it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
