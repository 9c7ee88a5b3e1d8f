package dev.slipway.steps;

import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A document with one change. */
record Mutation(String what, Map<String, Object> document) {
  private static final List<Object> OTHERS = new ArrayList<>();

  static {
    OTHERS.addAll(List.of("text", "", -1L, 0.5, true, List.of(7L), Map.of("x", "y")));
    OTHERS.addAll(List.of(List.of(), "{{ .parameters.owner }}"));
    OTHERS.add(null);
  }

  @Override
  public String toString() {
    return what;
  }

  /** Every key removed, renamed and spelled otherwise; every value replaced by others. */
  static List<Mutation> all(Map<String, Object> document) {
    List<Mutation> found = new ArrayList<>();
    for (List<Object> path : paths(document, List.of())) {
      Object key = path.getLast();
      String name = String.join(".", path.stream().map(String::valueOf).toList());
      if (key instanceof String field) {
        found.add(changed(document, path, "without " + name, map -> map.remove(field)));
        found.add(
            changed(document, path, "slip in " + name, map -> rename(map, field, field + "x")));
        String snake =
            field.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(java.util.Locale.ROOT);
        if (!snake.equals(field) && field.matches("[a-z]+([A-Z][a-z]+)+")) {
          found.add(changed(document, path, "snake " + name, map -> rename(map, field, snake)));
          found.add(
              changed(document, path, "twice " + name, map -> map.put(snake, map.get(field))));
        }
      }
      for (Object other : OTHERS) {
        String words = name + " = " + Json.write(other);
        found.add(changed(document, path, words, map -> map.put(String.valueOf(key), other)));
      }
    }
    Map<String, Object> more = new LinkedHashMap<>(document);
    more.put("unheardOf", 1L);
    found.add(new Mutation("an unknown field", more));
    return found;
  }

  private static void rename(Map<String, Object> map, String from, String to) {
    map.put(to, map.remove(from));
  }

  private interface Change {
    void in(Map<String, Object> map);
  }

  private static Mutation changed(
      Map<String, Object> document, List<Object> path, String what, Change change) {
    Object copy = copy(document);
    Object parent = copy;
    for (Object key : path.subList(0, path.size() - 1)) {
      parent = parent instanceof Map<?, ?> m ? m.get(key) : ((List<?>) parent).get((int) key);
    }
    if (parent instanceof Map<?, ?> map) {
      change.in(cast(map));
    } else {
      List<Object> list = castList(parent);
      Map<String, Object> one = new LinkedHashMap<>();
      change.in(one);
      list.set((int) path.getLast(), one.get(String.valueOf(path.getLast())));
    }
    return new Mutation(what, cast(copy));
  }

  private static List<List<Object>> paths(Object value, List<Object> here) {
    List<List<Object>> all = new ArrayList<>();
    if (!here.isEmpty()) {
      all.add(here);
    }
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> all.addAll(paths(each, with(here, key))));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        all.addAll(paths(list.get(i), with(here, i)));
      }
    }
    return all;
  }

  private static List<Object> with(List<Object> path, Object key) {
    List<Object> longer = new ArrayList<>(path);
    longer.add(key);
    return longer;
  }

  private static Object copy(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put(String.valueOf(k), copy(v)));
        yield out;
      }
      case List<?> list -> {
        List<Object> out = new ArrayList<>();
        list.forEach(each -> out.add(copy(each)));
        yield out;
      }
      case null, default -> value;
    };
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> castList(Object list) {
    return (List<Object>) list;
  }
}
