package dev.slipway.engine.intake;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A value together with the place where it was written. The tree is immutable; parts of it can be
 * recombined (an upgrade from an older spelling) without losing their positions.
 */
public sealed interface Located {
  Position at();

  /**
   * The plain value: unmodifiable Map with String keys in written order, List, String, Long,
   * BigInteger (when Long is too small), Double, Boolean, or null.
   */
  @Nullable Object plain();

  /** What was found, in words fit for a message: {@code the integer 5}, {@code a map}. */
  String kind();

  /** A leaf. {@code text} is what was written, so that {@code 1.10} and 1.1 stay different. */
  record Scalar(@Nullable Object value, String text, Position at, TextPlace place)
      implements Located {
    public Scalar(@Nullable Object value, String text, Position at) {
      this(value, text, at, TextPlace.unknown(at));
    }

    @Override
    public @Nullable Object plain() {
      return value;
    }

    @Override
    public String kind() {
      return switch (value) {
        case null -> "nothing";
        case String s -> s.length() > 40 ? "a string" : "the string '" + s + "'";
        case Boolean b -> "the boolean " + b;
        case Double d -> "the number " + text;
        default -> text.length() > 40 ? "a long integer" : "the integer " + text;
      };
    }
  }

  /** A list. */
  record Sequence(List<Located> items, Position at) implements Located {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public List<@Nullable Object> plain() {
      var plain = new ArrayList<@Nullable Object>(items.size());
      items.forEach(item -> plain.add(item.plain()));
      return Collections.unmodifiableList(plain);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A key's place and its value. */
  record Entry(Position keyAt, Located value) {}

  /** A map with its keys in written order. */
  record Mapping(SequencedMap<String, Entry> entries, Position at) implements Located {
    public Mapping {
      entries = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(entries));
    }

    public Optional<Located> value(String key) {
      return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** The entry of a key that the map has. */
    public Entry entry(String key) {
      return Objects.requireNonNull(entries.get(key), "callers ask for keys that the map has");
    }

    /** The same map with one entry replaced or added at the end. */
    public Mapping with(String key, Entry entry) {
      var changed = new LinkedHashMap<>(entries);
      changed.put(key, entry);
      return new Mapping(changed, at);
    }

    /** The same map without one key. */
    public Mapping without(String key) {
      var changed = new LinkedHashMap<>(entries);
      changed.remove(key);
      return new Mapping(changed, at);
    }

    @Override
    public Map<String, @Nullable Object> plain() {
      var plain = new LinkedHashMap<String, @Nullable Object>();
      entries.forEach((key, entry) -> plain.put(key, entry.value().plain()));
      return Collections.unmodifiableMap(plain);
    }

    @Override
    public String kind() {
      return "a map";
    }
  }
}
