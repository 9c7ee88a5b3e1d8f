package dev.slipway.engine.execute;

import dev.slipway.engine.value.Secrets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The texts in a tree that are secret. */
final class SecretTexts {
  /** Lines of a secret that has several are secret too, unless they say nothing. */
  private static final int SHORTEST_LINE = 8;

  private SecretTexts() {}

  static void named(@Nullable Object tree, List<String> found) {
    switch (tree) {
      case Map<?, ?> map ->
          map.forEach(
              (key, value) -> {
                if (Secrets.nameSaysSecret(String.valueOf(key))) {
                  collect(value, found);
                } else {
                  named(value, found);
                }
              });
      case List<?> list -> list.forEach(value -> named(value, found));
      case null, default -> {}
    }
  }

  static void collect(@Nullable Object value, List<String> found) {
    switch (value) {
      case Map<?, ?> map -> map.values().forEach(v -> collect(v, found));
      case List<?> list -> list.forEach(v -> collect(v, found));
      case String text -> {
        found.add(text);
        if (text.indexOf('\n') >= 0) {
          text.lines().filter(l -> l.length() >= SHORTEST_LINE).forEach(found::add);
        }
      }
      case null -> {}
      default -> {}
    }
  }
}
