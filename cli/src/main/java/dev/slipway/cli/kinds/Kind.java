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
 * @param instead sentences for operations that make no sense for it
 * @param states null if there is nothing to wait for
 * @param row as the server sent it
 */
public record Kind(
    Names names,
    Scope scope,
    String key,
    List<NamePart> labels,
    Map<Operation, UriTemplate> routes,
    Map<Operation, String> instead,
    @Nullable States states,
    Events events,
    List<Column> columns,
    Map<String, Object> row) {

  /**
   * The words that stand for it.
   *
   * @param alone whether one word without a kind names an object of it
   */
  public record Names(String singular, String plural, List<String> others, boolean alone) {}

  /**
   * Events about its objects.
   *
   * @param types {@code run.*} stands for all that begin so
   * @param nodes prefixes of the nodes that show its objects
   * @param field of the events' data that holds an object's key; null: the node tells
   */
  public record Events(List<String> types, List<String> nodes, @Nullable String field) {

    public boolean includes(String type) {
      return types.stream()
          .anyMatch(
              each ->
                  each.endsWith("*")
                      ? type.startsWith(each.substring(0, each.length() - 1))
                      : type.equals(each));
    }
  }

  /** Where its names are unique. */
  public enum Scope {
    INSTALLATION,
    ENVIRONMENT
  }

  /** What a row can have a route for, or a sentence. */
  public enum Operation {
    LIST,
    GET,
    DELETE,
    EXPLAIN,
    GRAPH,
    EXPORT,
    EVENTS,
    /** Has no route of its own. */
    WAIT;

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

  /**
   * Whether its list can be narrowed to one environment, or tells the environment of each object.
   */
  public boolean inEnvironments() {
    return scope == Scope.ENVIRONMENT
        || route(Operation.LIST)
            .filter(list -> list.variables().contains("environment"))
            .isPresent();
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
