package dev.slipway.cli.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A column of a kind's list.
 *
 * @param field of the object; dots lead into objects
 */
public record Column(String title, String field, Shown shown, Form form) {
  /** When it is shown. */
  public enum Shown {
    ALWAYS,
    WIDE
  }

  /** How a value is written. */
  public enum Form {
    TEXT,
    AGE,
    UNTIL,
    DURATION
  }

  /** What the object has there; null if nothing. */
  public @Nullable Object value(Map<String, Object> object) {
    Object found = object;
    for (String part : field.split("\\.")) {
      found = found instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return found;
  }
}
