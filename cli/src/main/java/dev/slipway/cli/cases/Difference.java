package dev.slipway.cli.cases;

import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What was expected somewhere, and what was found there. */
public record Difference(String where, String expected, String actual) {
  private static final int LONGEST = 400;

  /** {@code - expected} and {@code + actual}, as differences are usually shown. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(where);
    expected.lines().forEach(line -> lines.add("  - " + line));
    actual.lines().forEach(line -> lines.add("  + " + line));
    return lines;
  }

  /**
   * Compares a value with what is expected. A map with the one key {@code matches} (a regular
   * expression that the whole text fits), {@code contains} or {@code present} asks instead of
   * telling; other maps are compared key by key, and keys that they do not name do not count.
   */
  static List<Difference> between(String where, Object expected, Object actual) {
    List<Difference> found = new ArrayList<>();
    compare(where, expected, actual, found);
    return found;
  }

  private static void compare(
      String where, Object expected, Object actual, List<Difference> found) {
    if (expected instanceof Map<?, ?> map && map.size() == 1 && asks(map, actual)) {
      ask(where, map.entrySet().iterator().next(), actual, found);
    } else if (expected instanceof Map<?, ?> map && actual instanceof Map<?, ?> real) {
      map.forEach((key, value) -> compare(where + "." + key, value, absent(real, key), found));
    } else if (expected instanceof List<?> list
        && actual instanceof List<?> real
        && list.size() == real.size()) {
      for (int i = 0; i < list.size(); i++) {
        compare(where + "[" + i + "]", list.get(i), real.get(i), found);
      }
    } else if (!same(expected, actual)) {
      found.add(new Difference(where, shown(expected), shown(actual)));
    }
  }

  /** A real map may have a key of that name, and is then compared as a map. */
  private static boolean asks(Map<?, ?> map, Object actual) {
    Object key = map.keySet().iterator().next();
    return List.of("matches", "contains", "present").contains(key)
        && !(actual instanceof Map<?, ?> real && real.containsKey(key));
  }

  private static void ask(
      String where, Map.Entry<?, ?> question, Object actual, List<Difference> found) {
    String wanted = String.valueOf(question.getValue());
    boolean there = actual != null && actual != Missing.VALUE;
    String text = actual instanceof String s ? s : shown(actual);
    boolean holds =
        switch (String.valueOf(question.getKey())) {
          case "matches" -> there && fits(wanted, text);
          case "contains" -> there && text.contains(wanted);
          default -> there == Boolean.parseBoolean(wanted);
        };
    if (!holds) {
      found.add(new Difference(where, question.getKey() + ": " + wanted, shown(actual)));
    }
  }

  private static boolean fits(String pattern, String text) {
    try {
      return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).find();
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static Object absent(Map<?, ?> map, Object key) {
    return map.containsKey(key) ? map.get(key) : Missing.VALUE;
  }

  private static boolean same(Object expected, Object actual) {
    return Objects.equals(expected, actual)
        || expected instanceof Number a
            && actual instanceof Number b
            && new java.math.BigDecimal(a.toString())
                    .compareTo(new java.math.BigDecimal(b.toString()))
                == 0;
  }

  /** Nothing was there. */
  enum Missing {
    VALUE
  }

  static String shown(Object value) {
    String text =
        switch (value) {
          case Missing _ -> "(nothing)";
          case String s -> s.contains("\n") ? s : Json.write(s);
          case null, default -> Json.write(value);
        };
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
