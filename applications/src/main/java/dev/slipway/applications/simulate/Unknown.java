package dev.slipway.applications.simulate;

import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values that only a run can know: every key is there, and its value says where it will be from.
 */
final class Unknown extends AbstractMap<String, Object> {
  private final String place;

  Unknown(String place) {
    this.place = place;
  }

  @Override
  public boolean containsKey(Object key) {
    return true;
  }

  @Override
  public Object get(Object key) {
    return "<" + place + "." + key + ">";
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return Set.of();
  }

  /** Whether there is such a value in a tree. */
  static boolean in(@Nullable Object tree) {
    return switch (tree) {
      case String text -> text.matches("(?s).*<(resources|steps)\\.[^<>]+>.*");
      case Map<?, ?> map -> map.values().stream().anyMatch(Unknown::in);
      case List<?> list -> list.stream().anyMatch(Unknown::in);
      case null, default -> false;
    };
  }
}
