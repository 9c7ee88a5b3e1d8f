package dev.slipway.engine.intake;

import dev.slipway.engine.value.Sha256;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One text for one value: JSON without spaces, keys sorted, numbers exact, so that equal values
 * have equal hashes whatever the order they were written in. {@code 1} and {@code 1.0} stay
 * different, because they are different to a workflow.
 */
public final class Canonical {
  private Canonical() {}

  /** The canonical text of a plain value (maps, lists, strings, numbers, booleans, null). */
  public static String text(@Nullable Object value) {
    var text = new StringBuilder();
    append(value, text);
    return text.toString();
  }

  /** SHA-256 of the canonical text, 64 hexadecimal digits. */
  public static String hash(@Nullable Object value) {
    return Sha256.hex(text(value));
  }

  private static void append(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case null -> text.append("null");
      case Map<?, ?> map -> appendMap(map, text);
      case List<?> list -> appendList(list, text);
      case String s -> appendString(s, text);
      case Boolean b -> text.append(b);
      case Integer n -> text.append(n);
      case Long n -> text.append(n);
      case BigInteger n -> text.append(n);
      case Double d -> text.append(number(d));
      case BigDecimal d -> text.append(number(d));
      default ->
          throw new IllegalArgumentException("not a plain value: " + value.getClass().getName());
    }
  }

  /**
   * A decimal that a double holds exactly prints like that double: JSON readers differ in which.
   */
  private static String number(BigDecimal d) {
    double near = d.doubleValue();
    boolean exact = Double.isFinite(near) && BigDecimal.valueOf(near).compareTo(d) == 0;
    return exact ? number(near) : d.stripTrailingZeros().toString();
  }

  private static String number(double d) {
    if (!Double.isFinite(d)) {
      throw new IllegalArgumentException("not a JSON number: " + d);
    }
    return d == 0 ? "0.0" : Double.toString(d);
  }

  private static void appendMap(Map<?, ?> map, StringBuilder text) {
    var sorted = new TreeMap<String, @Nullable Object>();
    map.forEach((key, value) -> sorted.put((String) key, value));
    text.append('{');
    String comma = "";
    for (var entry : sorted.entrySet()) {
      appendString(entry.getKey(), text.append(comma));
      append(entry.getValue(), text.append(':'));
      comma = ",";
    }
    text.append('}');
  }

  private static void appendList(List<?> list, StringBuilder text) {
    text.append('[');
    for (Iterator<?> items = list.iterator(); items.hasNext(); ) {
      append(items.next(), text);
      text.append(items.hasNext() ? "," : "");
    }
    text.append(']');
  }

  private static void appendString(String s, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < 0x20) {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
