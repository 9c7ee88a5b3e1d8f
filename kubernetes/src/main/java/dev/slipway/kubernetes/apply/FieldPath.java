package dev.slipway.kubernetes.apply;

import dev.slipway.engine.intake.Path;
import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the paths of fields that API servers write: {@code spec.containers[0].image}, {@code
 * spec.ports[port=80,protocol="TCP"].name}.
 */
final class FieldPath {
  private static final Pattern SEGMENT = Pattern.compile("\\.?([^.\\[\\]]+)|\\[([^\\]]*)\\]");
  private static final Pattern KEY = Pattern.compile("([A-Za-z0-9_-]+)=\"?([^\",]*)\"?");

  private FieldPath() {}

  /** The path in that document, as far as it leads. */
  static Path parse(String field, Map<String, Object> document) {
    Path path = Path.ROOT;
    Object here = document;
    Matcher matcher = SEGMENT.matcher(field);
    while (matcher.find()) {
      Object segment = matcher.group(1) == null ? index(matcher.group(2), here) : matcher.group(1);
      if (segment == null) {
        return path;
      }
      path = segment instanceof Integer i ? path.child(i) : path.child(segment.toString());
      here = below(here, segment);
    }
    return path;
  }

  /** A number, a key, or the index of the item that a selector of keys names. */
  private static @Nullable Object index(String text, @Nullable Object here) {
    if (text.matches("[0-9]{1,6}")) {
      return Integer.valueOf(text);
    }
    if (here instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        Map<String, Object> item = Values.map(list.get(i));
        boolean named =
            KEY.matcher(text)
                .results()
                .allMatch(
                    key ->
                        !item.containsKey(key.group(1))
                            || key.group(2).equals(String.valueOf(item.get(key.group(1)))));
        if (text.contains("=") && named) {
          return i;
        }
      }
      return null;
    }
    return text.matches("[A-Za-z0-9_./-]+") ? text : null;
  }

  private static @Nullable Object below(@Nullable Object here, Object segment) {
    return switch (here) {
      case Map<?, ?> map -> map.get(segment);
      case List<?> list when segment instanceof Integer i && i < list.size() -> list.get(i);
      case null, default -> null;
    };
  }
}
