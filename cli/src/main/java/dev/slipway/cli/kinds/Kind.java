package dev.slipway.cli.kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table.
 *
 * @param key the field that routes name an object by
 * @param labels how people name an object; empty if they use the key
 * @param states null if there is nothing to wait for
 * @param row as the server sent it
 */
public record Kind(
    Names names,
    Scope scope,
    String key,
    List<Label> labels,
    Map<Operation, UriTemplate> routes,
    @Nullable States states,
    List<String> events,
    List<Column> columns,
    Map<String, Object> row) {

  /** The words that stand for it, and the prefix of its nodes in the graph. */
  public record Names(
      String singular, String plural, List<String> others, @Nullable String nodePrefix) {}

  /** Where its names are unique. */
  public enum Scope {
    INSTALLATION,
    ENVIRONMENT
  }

  /** What a row can have a route for. */
  public enum Operation {
    LIST,
    GET,
    DELETE,
    EXPLAIN,
    GRAPH;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public String name() {
    return names.singular();
  }

  public String plural() {
    return names.plural();
  }

  /** Every word that stands for it. */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of(names.singular(), names.plural()));
    words.addAll(names.others());
    return words;
  }

  public Optional<UriTemplate> route(Operation operation) {
    return Optional.ofNullable(routes.get(operation));
  }

  /** Which of the verbs {@code get}, {@code describe}, {@code delete}, … it takes. */
  public List<String> verbs() {
    List<String> verbs = new ArrayList<>(List.of("get", "describe"));
    route(Operation.DELETE).ifPresent(_ -> verbs.add("delete"));
    if (states != null || routes.containsKey(Operation.DELETE)) {
      verbs.add("wait");
    }
    route(Operation.EXPLAIN).ifPresent(_ -> verbs.add("explain"));
    route(Operation.GRAPH).ifPresent(_ -> verbs.add("graph"));
    return verbs;
  }

  /** Its state; empty if it has none. */
  public Optional<String> stateOf(Map<String, Object> object) {
    return Optional.ofNullable(states).map(s -> object.get(s.field())).map(String::valueOf);
  }

  public String keyOf(Map<String, Object> object) {
    return String.valueOf(object.get(key));
  }

  /** How people call that object: {@code shop/db}, or its key. */
  public String nameOf(Map<String, Object> object) {
    boolean whole = labels.stream().allMatch(label -> object.get(label.field()) != null);
    return labels.isEmpty() || !whole
        ? keyOf(object)
        : labels.stream()
            .map(label -> String.valueOf(object.get(label.field())))
            .collect(Collectors.joining("/"));
  }

  /** The form in which people write a name: {@code APPLICATION/NAME}. */
  public String nameForm() {
    return labels.stream()
        .map(label -> label.field().toUpperCase(Locale.ROOT))
        .collect(Collectors.joining("/"));
  }
}
