package dev.slipway.cli.kinds;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The whole table of one server. */
public record KindTable(List<Kind> kinds) {
  public KindTable {
    kinds = List.copyOf(kinds);
  }

  /**
   * From the answer of {@code GET /api/kinds}.
   *
   * @throws IllegalArgumentException if a row cannot be understood
   */
  public static KindTable parse(Map<String, Object> answer) {
    return new KindTable(objects(answer.get("data")).stream().map(KindTable::kind).toList());
  }

  /** The kind that the word stands for, in any case of letters. */
  public Optional<Kind> find(String word) {
    String wanted = word.toLowerCase(Locale.ROOT);
    return kinds.stream().filter(kind -> kind.words().contains(wanted)).findFirst();
  }

  /** The kind of an object that one word alone names; empty if the server has none. */
  public Optional<Kind> alone() {
    return kinds.stream().filter(kind -> kind.names().alone()).findFirst();
  }

  /** Every word that stands for a kind. */
  public List<String> words() {
    return kinds.stream().flatMap(kind -> kind.words().stream()).toList();
  }

  private static Kind kind(Map<String, Object> row) {
    Object field = row.get("eventField");
    return new Kind(
        new Kind.Names(
            text(row, "name"),
            text(row, "plural"),
            texts(row.get("shortNames")),
            "alone".equals(row.get("naming"))),
        word(Kind.Scope.class, row.get("scope")).orElse(Kind.Scope.INSTALLATION),
        text(row, "key"),
        objects(row.get("labels")).stream().map(KindTable::label).toList(),
        routes(object(row.get("routes"))),
        sentences(object(row.get("instead"))),
        row.get("states") == null ? null : states(object(row.get("states"))),
        new Kind.Events(
            texts(row.get("events")),
            texts(row.get("nodes")),
            field == null ? null : String.valueOf(field)),
        objects(row.get("columns")).stream().map(KindTable::column).toList(),
        row);
  }

  private static Map<Kind.Operation, UriTemplate> routes(Map<String, Object> row) {
    Map<Kind.Operation, UriTemplate> routes = new EnumMap<>(Kind.Operation.class);
    row.forEach(
        (name, template) ->
            word(Kind.Operation.class, name)
                .ifPresent(o -> routes.put(o, new UriTemplate(String.valueOf(template)))));
    return routes;
  }

  private static Map<Kind.Operation, String> sentences(Map<String, Object> row) {
    Map<Kind.Operation, String> sentences = new EnumMap<>(Kind.Operation.class);
    row.forEach(
        (name, sentence) ->
            word(Kind.Operation.class, name)
                .ifPresent(o -> sentences.put(o, String.valueOf(sentence))));
    return sentences;
  }

  private static NamePart label(Map<String, Object> row) {
    Object filter = row.get("filter");
    return new NamePart(text(row, "field"), filter == null ? null : String.valueOf(filter));
  }

  private static States states(Map<String, Object> row) {
    return new States(text(row, "field"), texts(row.get("done")), texts(row.get("failed")));
  }

  private static Column column(Map<String, Object> row) {
    return new Column(
        text(row, "title"),
        text(row, "field"),
        word(Column.Shown.class, row.get("shown")).orElse(Column.Shown.ALWAYS),
        word(Column.Form.class, row.get("form")).orElse(Column.Form.TEXT));
  }

  private static String text(Map<String, Object> row, String field) {
    if (row.get(field) == null) {
      throw new IllegalArgumentException("a row without '" + field + "': " + row);
    }
    return String.valueOf(row.get(field));
  }

  private static List<String> texts(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().filter(Objects::nonNull).map(String::valueOf).toList()
        : List.of();
  }

  private static <E extends Enum<E>> Optional<E> word(Class<E> words, @Nullable Object value) {
    return List.of(words.getEnumConstants()).stream()
        .filter(each -> each.name().equalsIgnoreCase(String.valueOf(value)))
        .findFirst();
  }

  private static List<Map<String, Object>> objects(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().map(KindTable::object).toList()
        : List.of();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
