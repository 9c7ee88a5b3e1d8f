package dev.slipway.gotemplate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map that a template made or owns, and therefore may change. */
public final class Dict extends HashMap<String, Object> {
  private static final long serialVersionUID = 1L;

  public Dict() {}

  /** A dict with the entries of a map, which stays as it is. */
  public Dict(Map<String, ?> entries) {
    super(entries);
  }

  /** The value with dicts in place of all maps, so that changing them changes nothing else. */
  static @Nullable Object owned(@Nullable Object value) {
    return switch (value) {
      case TypedMap map -> TypedMap.of(map.type().element(), entries(map));
      case TypedList list -> TypedList.of(list.type().element(), elements(list));
      case Map<?, ?> map -> entries(map);
      case List<?> list -> elements(list);
      case null, default -> value;
    };
  }

  private static Dict entries(Map<?, ?> map) {
    Dict copy = new Dict();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      copy.put((String) entry.getKey(), owned(entry.getValue()));
    }
    return copy;
  }

  private static List<Object> elements(List<?> list) {
    List<Object> copy = new ArrayList<>(list.size());
    for (Object element : list) {
      copy.add(owned(element));
    }
    return copy;
  }
}
