package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One place in a JSON value: {@code $.items[0].name}, {@code $['a key']}, {@code .status}. No
 * wildcards, filters or scripts: a capture takes one value.
 */
public record JsonPath(List<Object> segments) {
  static final String FORMS = "Write a path such as $.items[0].name or $['a key'].";
  private static final int LONGEST = 500;
  private static final Pattern SEGMENT =
      Pattern.compile(
          "\\.?([A-Za-z_][A-Za-z0-9_-]*)|\\[(-?[0-9]{1,9})]|\\['([^']*)']|\\[\"([^\"]*)\"]");

  public JsonPath {
    segments = List.copyOf(segments);
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException if it is not in the supported subset
   */
  public static JsonPath parse(String text) {
    String path = text.strip();
    path = path.startsWith("{") && path.endsWith("}") ? path.substring(1, path.length() - 1) : path;
    path = path.startsWith("$") ? path.substring(1) : path;
    path = path.equals(".") ? "" : path;
    if (path.length() > LONGEST) {
      throw new IllegalArgumentException("a path may have at most " + LONGEST + " characters");
    }
    List<Object> segments = new ArrayList<>();
    Matcher matcher = SEGMENT.matcher(path);
    int at = 0;
    while (at < path.length()) {
      if (!matcher.region(at, path.length()).lookingAt()) {
        throw new IllegalArgumentException(
            "not a path: '" + path.substring(at, Math.min(path.length(), at + 20)) + "'");
      }
      segments.add(segment(matcher));
      at = matcher.end();
    }
    return new JsonPath(segments);
  }

  private static Object segment(Matcher matcher) {
    if (matcher.group(2) != null) {
      return Integer.valueOf(matcher.group(2));
    }
    for (int group : new int[] {1, 3, 4}) {
      if (matcher.group(group) != null) {
        return matcher.group(group);
      }
    }
    throw new IllegalStateException("a segment without text");
  }

  /** What is there; empty when nothing is. A null that is there is a value. */
  public Optional<Found> in(@Nullable Object value) {
    Object here = value;
    for (Object segment : segments) {
      if (here instanceof Map<?, ?> map && segment instanceof String && map.containsKey(segment)) {
        here = map.get(segment);
      } else if (here instanceof List<?> list && segment instanceof Integer index) {
        int from = index < 0 ? list.size() + index : index;
        if (from < 0 || from >= list.size()) {
          return Optional.empty();
        }
        here = list.get(from);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new Found(here));
  }

  /** A value that is there, be it null. */
  public record Found(@Nullable Object value) {}
}
