package dev.slipway.applications.simulate;

import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hides secrets before anything is made from them. */
final class Masking {
  static final String HIDDEN = "***";

  private Masking() {}

  /** Sealed leaves, and whatever its name calls a secret. */
  static Map<String, @Nullable Object> byName(Map<String, ? extends @Nullable Object> tree) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    tree.forEach(
        (name, value) -> {
          boolean telling = value != null && Secrets.nameSaysSecret(name);
          out.put(name, telling && isLeaf(value) ? HIDDEN : masked(value));
        });
    return out;
  }

  private static boolean isLeaf(@Nullable Object value) {
    return !(value instanceof Map<?, ?>) && !(value instanceof List<?>);
  }

  private static @Nullable Object masked(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> byName(Values.map(map));
      case List<?> list -> list.stream().map(Masking::masked).collect(Values.toList());
      case null -> null;
      default -> Values.masked(value);
    };
  }
}
