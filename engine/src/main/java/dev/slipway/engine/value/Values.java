package dev.slipway.engine.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Walks over trees of values. */
public final class Values {
  private Values() {}

  /** A copy of the tree with every leaf replaced; keys and order stay. */
  public static @Nullable Object mapLeaves(
      @Nullable Object value, UnaryOperator<@Nullable Object> change) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((k, v) -> out.put(String.valueOf(k), mapLeaves(v, change)));
        yield out;
      }
      case List<?> list -> list.stream().map(v -> mapLeaves(v, change)).collect(toList());
      case null -> change.apply(null);
      default -> change.apply(value);
    };
  }

  /** Whether some leaf of the tree passes the test. */
  public static boolean anyLeaf(@Nullable Object value, Predicate<Object> test) {
    return switch (value) {
      case Map<?, ?> map -> map.values().stream().anyMatch(v -> anyLeaf(v, test));
      case List<?> list -> list.stream().anyMatch(v -> anyLeaf(v, test));
      case null -> false;
      default -> test.test(value);
    };
  }

  /** The tree for display: sealed leaves are {@link Sealed#MASK}. */
  public static @Nullable Object masked(@Nullable Object value) {
    return mapLeaves(value, leaf -> leaf instanceof Sealed ? Sealed.MASK : leaf);
  }

  /** The value as a map; an empty one for null. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  /** Collects to a list that may hold nulls. */
  public static Collector<Object, ?, List<Object>> toList() {
    return Collectors.collectingAndThen(
        Collectors.toCollection(ArrayList::new), Collections::unmodifiableList);
  }
}
