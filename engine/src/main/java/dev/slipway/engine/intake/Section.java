package dev.slipway.engine.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed fields out of one map of a document and reports whatever is wrong with them. Reading
 * never stops: a field that is missing or of the wrong type is reported once and read as empty, so
 * a parser reads to its end and the caller then checks {@link Diagnostics#hasErrors()}.
 *
 * <pre>{@code
 * Section root = document.section(diagnostics);
 * String kind = root.requiredString("kind");
 * Duration lease = root.duration("lease").orElse(Duration.ofSeconds(15));
 * for (Section step : root.sections("steps")) { ... step.noOtherKeys(); }
 * root.noOtherKeys();   // unknown keys: "did you mean" among those asked for above
 * }</pre>
 *
 * An explicit null counts as absent.
 */
public final class Section {
  private final Findings findings;
  private final Path path;
  private final Located.Mapping map;
  private final Spelling spelling;
  private final Keys keys;

  private Section(Findings findings, Path path, Located.Mapping map, Spelling spelling) {
    this.findings = findings;
    this.path = path;
    this.map = map;
    this.spelling = spelling;
    this.keys = new Keys(map, spelling, path, findings);
  }

  static Section of(Document document, Diagnostics diagnostics) {
    var findings = new Findings(document, diagnostics);
    return of(findings, Path.ROOT, document.root(), Spelling.EXACT);
  }

  private static Section of(Findings findings, Path path, Located value, Spelling spelling) {
    if (value instanceof Located.Mapping map) {
      return new Section(findings, path, map, spelling);
    }
    findings.wrongType(path, value, "a map", null);
    return empty(findings, path, value.at(), spelling);
  }

  private static Section empty(Findings findings, Path path, Position at, Spelling spelling) {
    return new Section(findings, path, new Located.Mapping(new LinkedHashMap<>(), at), spelling);
  }

  /** The same map read with another spelling of keys; inherited by sections below. */
  public Section spelled(Spelling other) {
    return new Section(findings, path, map, other);
  }

  // ---- where things are

  public Path path() {
    return path;
  }

  public Document document() {
    return findings.document();
  }

  public Diagnostics diagnostics() {
    return findings.diagnostics();
  }

  /** Where this map's own key was written (the start of the document for the root). */
  public Position at() {
    return document().keyPosition(path);
  }

  /** Where the value of a key starts; this map's place when the key is absent. */
  public Position valueAt(String key) {
    return located(key).map(Located::at).orElseGet(this::at);
  }

  /** Where a key was written; this map's place when it is absent. */
  public Position keyAt(String key) {
    return keys.keyAt(key).orElseGet(this::at);
  }

  // ---- what is there

  /** The keys as written, in written order. */
  public Set<String> keys() {
    return map.entries().keySet();
  }

  /** Whether the key is there, even as null. Counts as asked for. */
  public boolean has(String key) {
    return keys.ask(key).isPresent();
  }

  /** The whole map as plain values. */
  public Map<String, @Nullable Object> plain() {
    return map.plain();
  }

  /** The raw value with its places, unless absent or null. */
  public Optional<Located> located(String key) {
    return keys.ask(key).map(Located.Entry::value).filter(Section::isSet);
  }

  /** Without building the plain value of a whole tree only to see that it is there. */
  private static boolean isSet(Located value) {
    return !(value instanceof Located.Scalar scalar) || scalar.value() != null;
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
   * A string that matches a pattern as a whole; {@code words} describe the pattern in the error.
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

  /** An amount of bytes in the forms of {@link SizeText}, not less than that. */
  public Optional<Long> size(String key, long least) {
    String expected = "a size of at least " + SizeText.print(least);
    return read(
        key,
        expected,
        SizeText.FORMS,
        value ->
            value instanceof Located.Scalar scalar
                ? SizeText.parse(scalar.text()).filter(bytes -> bytes >= least).orElse(null)
                : null);
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
        .map(item -> of(findings, item.path(), item.value(), spelling))
        .toList();
  }

  public List<Section> requiredSections(String key) {
    required(key, this::located);
    return sections(key);
  }

  public Optional<Section> section(String key) {
    return located(key).map(value -> of(findings, at(key), value, spelling));
  }

  /** The map below, or an empty one after reporting that it is missing. */
  public Section requiredSection(String key) {
    return required(key, this::section)
        .orElseGet(() -> empty(findings, path.child(key), at(), spelling));
  }

  /** A map whose values are maps; empty when absent. Names keep their exact spelling. */
  public SequencedMap<String, Section> sectionMap(String key) {
    var found = new LinkedHashMap<String, Section>();
    entries(key)
        .forEach(
            (name, item) -> found.put(name, of(findings, item.path(), item.value(), spelling)));
    return found;
  }

  /** An empty map in this one's place, for what was left out. */
  public Section nothing() {
    return empty(findings, path, at(), spelling);
  }

  /** The map of one name in a map below; reported unless it is one. */
  public Section section(String key, String name) {
    Item item = Objects.requireNonNull(entries(key).get(name), "callers name an entry of the map");
    return of(findings, item.path(), item.value(), spelling);
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

  /** Reports every key that no field has read as an error. Call it when all fields were read. */
  public void noOtherKeys() {
    keys.reportOthers(Severity.ERROR, path, findings);
  }

  /** Reports every key that no field has read as a warning: the file may be of a newer release. */
  public void warnOfOtherKeys() {
    keys.reportOthers(Severity.WARNING, path, findings);
  }

  /**
   * Holds the reader to a table: these fields are known whether they are read or not, and asking
   * for any other is a mistake in the reader, so that no field can be missing from the table.
   */
  public Section only(Collection<String> fields) {
    keys.only(fields);
    return this;
  }

  /** Declares keys as known without reading them: accepted, informational fields. */
  public Section ignoring(String... keys) {
    this.keys.know(List.of(keys));
    return this;
  }

  /** An error about the value of a key. */
  public void error(String key, String code, String message, @Nullable String hint) {
    findings.error(code, at(key), valueAt(key), message, hint);
  }

  /** An error about this map as a whole. */
  public void error(String code, String message, @Nullable String hint) {
    findings.error(code, path, at(), message, hint);
  }

  /** A warning about the key itself: old spellings and the like. */
  public void warning(String key, String code, String message, @Nullable String hint) {
    findings.warning(code, at(key), keyAt(key), message, hint);
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
      findings.missing(path, at(), key);
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
      findings.wrongType(at(key), found.get(), expected, hint);
    }
    return value;
  }

  private String reportItem(Item item, String expected) {
    findings.wrongType(item.path(), item.value(), expected, null);
    return "";
  }

  private Path at(String key) {
    return path.child(keys.written(key));
  }
}
