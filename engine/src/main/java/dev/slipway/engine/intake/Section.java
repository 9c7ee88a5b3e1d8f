package dev.slipway.engine.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed fields out of one map of a document and reports whatever is wrong with them. Reading
 * never stops: a field that is missing or of the wrong type is reported once and read as empty, so
 * a parser goes on to its end and the caller asks {@link Diagnostics#hasErrors()} there.
 *
 * <pre>{@code
 * Section root = document.section(diagnostics);
 * String kind = root.requiredString("kind");
 * Duration lease = root.duration("lease").orElse(Duration.ofSeconds(30));
 * for (Section step : root.sections("steps")) { ... step.noOtherKeys(); }
 * root.noOtherKeys();   // unknown keys: "did you mean" among those asked for above
 * }</pre>
 *
 * An explicit null counts as absent.
 */
public final class Section {
  private final Document document;
  private final Diagnostics diagnostics;
  private final Path path;
  private final Located.Mapping map;
  private final Spelling spelling;
  private final Map<String, String> written = new LinkedHashMap<>();
  private final SequencedSet<String> asked = new LinkedHashSet<>();

  private Section(
      Document document,
      Diagnostics diagnostics,
      Path path,
      Located.Mapping map,
      Spelling spelling) {
    this.document = document;
    this.diagnostics = diagnostics;
    this.path = path;
    this.map = map;
    this.spelling = spelling;
    for (var entry : map.entries().entrySet()) {
      String earlier = written.putIfAbsent(spelling.fold(entry.getKey()), entry.getKey());
      if (earlier != null) {
        errorAt(
            "duplicate-key",
            path.child(entry.getKey()),
            entry.getValue().keyAt(),
            "this is the same key as '" + earlier + "'",
            "Remove one of them.");
      }
    }
  }

  static Section of(Document document, Diagnostics diagnostics) {
    return of(document, Path.ROOT, document.root(), diagnostics, Spelling.EXACT);
  }

  private static Section of(
      Document document, Path path, Located value, Diagnostics diagnostics, Spelling spelling) {
    if (value instanceof Located.Mapping map) {
      return new Section(document, diagnostics, path, map, spelling);
    }
    var nothing = new Located.Mapping(new LinkedHashMap<>(), value.at());
    var empty = new Section(document, diagnostics, path, nothing, spelling);
    empty.wrongType(path, value, "a map");
    return empty;
  }

  /** The same map read with another spelling of keys; inherited by sections below. */
  public Section spelled(Spelling other) {
    return new Section(document, diagnostics, path, map, other);
  }

  // ---- where things are

  public Path path() {
    return path;
  }

  public Document document() {
    return document;
  }

  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /** Where this map's own key was written (the start of the document for the root). */
  public Position at() {
    return document.keyPosition(path);
  }

  /** Where the value of a key starts; this map's place when the key is absent. */
  public Position valueAt(String key) {
    return located(key).map(Located::at).orElseGet(this::at);
  }

  /** Where a key was written; this map's place when it is absent. */
  public Position keyAt(String key) {
    Located.Entry entry = map.entries().get(writtenKey(key));
    return entry == null ? at() : entry.keyAt();
  }

  // ---- what is there

  /** The keys as written, in written order. */
  public Set<String> keys() {
    return map.entries().keySet();
  }

  /** Whether the key is there, even as null. Counts as asked for. */
  public boolean has(String key) {
    asked.add(key);
    return map.entries().containsKey(writtenKey(key));
  }

  /** The whole map as plain values. */
  public Map<String, @Nullable Object> plain() {
    return map.plain();
  }

  /** The raw value with its places, unless absent or null. */
  public Optional<Located> located(String key) {
    asked.add(key);
    return map.value(writtenKey(key)).filter(value -> value.plain() != null);
  }

  /** Any plain value, unless absent or null. */
  public Optional<Object> value(String key) {
    return located(key).map(Located::plain);
  }

  // ---- scalars

  public Optional<String> string(String key) {
    return read(key, "a string", value -> value.plain() instanceof String s ? s : null);
  }

  public String string(String key, String otherwise) {
    return string(key).orElse(otherwise);
  }

  /** The string, or an empty one after reporting that it is missing or empty. */
  public String requiredString(String key) {
    Optional<String> found = required(key, this::string);
    if (found.isPresent() && found.get().isBlank()) {
      error(key, "invalid-value", "must not be empty", null);
    }
    return found.orElse("");
  }

  /**
   * A string that matches a pattern as a whole; {@code words} tell people what the pattern says.
   */
  public Optional<String> matching(String key, Pattern pattern, String words) {
    Optional<String> found = string(key);
    boolean wrong = found.isPresent() && !pattern.matcher(found.get()).matches();
    if (wrong) {
      error(key, "invalid-value", "'" + Words.shortened(found.get()) + "' is not " + words, null);
    }
    return wrong ? Optional.empty() : found;
  }

  public String requiredMatching(String key, Pattern pattern, String words) {
    return required(key, name -> matching(name, pattern, words)).orElse("");
  }

  /** Any scalar, as it was written: {@code version: 1.10} is {@code "1.10"}. */
  public Optional<String> text(String key) {
    return read(
        key, "a string", value -> value instanceof Located.Scalar scalar ? scalar.text() : null);
  }

  public Optional<Boolean> bool(String key) {
    return read(key, "true or false", value -> value.plain() instanceof Boolean b ? b : null);
  }

  public boolean bool(String key, boolean otherwise) {
    return bool(key).orElse(otherwise);
  }

  /** A whole number between two bounds, both allowed. */
  public Optional<Long> integer(String key, long least, long most) {
    String expected = "a whole number from " + least + " to " + most;
    return read(
        key,
        expected,
        value -> value.plain() instanceof Long n && n >= least && n <= most ? n : null);
  }

  public int integer(String key, int least, int most, int otherwise) {
    return integer(key, (long) least, (long) most).map(Long::intValue).orElse(otherwise);
  }

  /** Any number: Long, BigInteger or Double. */
  public Optional<Number> number(String key) {
    return read(key, "a number", value -> value.plain() instanceof Number n ? n : null);
  }

  /** A duration in the forms of {@link DurationText}. */
  public Optional<Duration> duration(String key) {
    Function<Located, @Nullable Duration> parse =
        value -> DurationText.parseValue(value.plain()).orElse(null);
    return read(key, "a duration", DurationText.FORMS, parse);
  }

  public Duration duration(String key, Duration otherwise) {
    return duration(key).orElse(otherwise);
  }

  // ---- choices

  /** One of some words, as written. */
  public Optional<String> oneOf(String key, Collection<String> words) {
    Optional<String> found = string(key);
    boolean wrong = found.isPresent() && !words.contains(found.get());
    if (wrong) {
      String message = "'" + Words.shortened(found.get()) + "' is not one of " + Words.list(words);
      error(key, "invalid-value", message, Nearest.hint(found.get(), words));
    }
    return wrong ? Optional.empty() : found;
  }

  /**
   * A constant of an enum, written in lower case with hyphens: {@code ROLLED_BACK}, rolled-back.
   */
  public <E extends Enum<E>> Optional<E> choice(String key, Class<E> type) {
    SequencedMap<String, E> words = Words.of(type);
    return oneOf(key, words.sequencedKeySet()).map(words::get);
  }

  public <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) {
    return choice(key, type).orElse(otherwise);
  }

  // ---- lists and maps

  /** A list of strings; empty when absent. */
  public List<String> strings(String key) {
    return items(key, "a list of strings").stream()
        .map(item -> item.value().plain() instanceof String s ? s : reportItem(item, "a string"))
        .toList();
  }

  /** A list of strings, or one string standing for a list of one. */
  public List<String> stringOrStrings(String key) {
    boolean single = located(key).filter(value -> value.plain() instanceof String).isPresent();
    return single ? List.of(string(key).orElseThrow()) : strings(key);
  }

  /** A list of maps; empty when absent. */
  public List<Section> sections(String key) {
    return items(key, "a list of maps").stream()
        .map(item -> of(document, item.path(), item.value(), diagnostics, spelling))
        .toList();
  }

  public List<Section> requiredSections(String key) {
    required(key, this::located);
    return sections(key);
  }

  public Optional<Section> section(String key) {
    return located(key).map(value -> of(document, at(key), value, diagnostics, spelling));
  }

  /** The map below, or an empty one after reporting that it is missing. */
  public Section requiredSection(String key) {
    return required(key, this::section)
        .orElseGet(
            () -> {
              var nothing = new Located.Mapping(new LinkedHashMap<>(), at());
              return new Section(document, diagnostics, path.child(key), nothing, spelling);
            });
  }

  /** A map whose values are maps; empty when absent. Names keep their exact spelling. */
  public SequencedMap<String, Section> sectionMap(String key) {
    var found = new LinkedHashMap<String, Section>();
    entries(key)
        .forEach(
            (name, item) ->
                found.put(name, of(document, item.path(), item.value(), diagnostics, spelling)));
    return found;
  }

  /** A map whose values are strings; empty when absent. */
  public SequencedMap<String, String> stringMap(String key) {
    var found = new LinkedHashMap<String, String>();
    entries(key)
        .forEach(
            (name, item) ->
                found.put(
                    name,
                    item.value().plain() instanceof String s ? s : reportItem(item, "a string")));
    return found;
  }

  /** An open map of plain values; empty when absent. */
  public Map<String, @Nullable Object> openMap(String key) {
    return read(key, "a map", v -> v instanceof Located.Mapping m ? m.plain() : null)
        .orElse(Map.of());
  }

  // ---- reporting

  /** Reports every key that nobody asked for as an error. Call it when all fields were read. */
  public void noOtherKeys() {
    unknownKeys(Severity.ERROR);
  }

  /** Reports every key that nobody asked for as a warning: for files that may be newer than us. */
  public void warnOfOtherKeys() {
    unknownKeys(Severity.WARNING);
  }

  /** Declares keys as known without reading them: accepted, informational fields. */
  public Section ignoring(String... keys) {
    asked.addAll(List.of(keys));
    return this;
  }

  /** An error about the value of a key. */
  public void error(String key, String code, String message, @Nullable String hint) {
    errorAt(code, at(key), valueAt(key), message, hint);
  }

  /** An error about this map as a whole. */
  public void error(String code, String message, @Nullable String hint) {
    errorAt(code, path, at(), message, hint);
  }

  /** A warning about the key itself: old spellings and the like. */
  public void warning(String key, String code, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.warning(code, document.file(), at(key), keyAt(key), message, hint));
  }

  // ---- inside

  private record Item(Path path, Located value) {}

  private List<Item> items(String key, String expected) {
    var items = new ArrayList<Item>();
    read(key, expected, value -> value instanceof Located.Sequence list ? list : null)
        .ifPresent(
            list -> list.items().forEach(i -> items.add(new Item(at(key).child(items.size()), i))));
    return items;
  }

  private SequencedMap<String, Item> entries(String key) {
    var items = new LinkedHashMap<String, Item>();
    read(key, "a map", value -> value instanceof Located.Mapping m ? m : null)
        .ifPresent(
            m ->
                m.entries().forEach((k, e) -> items.put(k, new Item(at(key).child(k), e.value()))));
    return items;
  }

  private <T> Optional<T> required(String key, Function<String, Optional<T>> reading) {
    if (located(key).isEmpty()) {
      errorAt("missing-field", path, at(), "'" + key + "' is required", null);
      return Optional.empty();
    }
    return reading.apply(key);
  }

  private <T> Optional<T> read(
      String key, String expected, Function<Located, @Nullable T> reading) {
    return read(key, expected, null, reading);
  }

  private <T> Optional<T> read(
      String key, String expected, @Nullable String hint, Function<Located, @Nullable T> reading) {
    Optional<Located> found = located(key);
    Optional<T> value = found.map(reading);
    if (found.isPresent() && value.isEmpty()) {
      String message = Words.expected(expected, found.get());
      errorAt("wrong-type", at(key), found.get().at(), message, hint);
    }
    return value;
  }

  private String reportItem(Item item, String expected) {
    wrongType(item.path(), item.value(), expected);
    return "";
  }

  private void wrongType(Path where, Located found, String expected) {
    errorAt("wrong-type", where, found.at(), Words.expected(expected, found), null);
  }

  private void unknownKeys(Severity severity) {
    Set<String> known = new LinkedHashSet<>();
    asked.forEach(key -> known.add(spelling.fold(key)));
    written.forEach(
        (folded, key) -> {
          if (!known.contains(folded)) {
            Position keyAt = map.entries().get(key).keyAt();
            String message = "unknown field '" + Words.shortened(key) + "'";
            diagnostics.add(
                new Diagnostic(
                    severity,
                    "unknown-field",
                    path.child(key).toString(),
                    document.file(),
                    keyAt.line(),
                    keyAt.column(),
                    message,
                    Nearest.hintOrList(key, asked)));
          }
        });
  }

  private void errorAt(
      String code, Path where, Position at, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.error(code, document.file(), where, at, message, hint));
  }

  private Path at(String key) {
    return path.child(writtenKey(key));
  }

  private String writtenKey(String key) {
    return written.getOrDefault(spelling.fold(key), key);
  }
}
