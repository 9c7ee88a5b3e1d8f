package dev.slipway.web.kind;

/**
 * A column of a list.
 *
 * @param field of the listed object; dots lead into objects, as in {@code owner.name}
 */
public record Column(String title, String field, Shown shown, Form form) {
  /** When the column is shown. */
  public enum Shown {
    ALWAYS,
    WIDE
  }

  /** How a value is written. */
  public enum Form {
    TEXT,
    /** A time in the past, as the time since then. */
    AGE,
    /** A time to come, as the time until then. */
    UNTIL,
    /** Milliseconds, as a duration. */
    DURATION
  }
}
