package dev.slipway.web.kind;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where clients find objects of a kind, as URI templates (RFC 6570: {@code {name}}, {@code
 * {?environment}}, {@code {&orphan}}). Variables are fields of the object, or what the caller
 * filters and chooses by. A kind leaves out what it does not have.
 */
public record Routes(
    @Nullable String list,
    @Nullable String get,
    @Nullable String delete,
    @Nullable String explain,
    @Nullable String graph) {

  static final Routes NONE = new Routes(null, null, null, null, null);

  /** The templates that exist, by verb. */
  public Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    put(all, "list", list);
    put(all, "get", get);
    put(all, "delete", delete);
    put(all, "explain", explain);
    put(all, "graph", graph);
    return all;
  }

  Routes only(Predicate<String> known) {
    return new Routes(
        only(list, known),
        only(get, known),
        only(delete, known),
        only(explain, known),
        only(graph, known));
  }

  private static @Nullable String only(@Nullable String template, Predicate<String> known) {
    return template == null || !known.test(template) ? null : template;
  }

  private static void put(Map<String, String> all, String verb, @Nullable String template) {
    if (template != null) {
      all.put(verb, template);
    }
  }
}
