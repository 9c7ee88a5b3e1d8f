package dev.slipway.engine.intake;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A parsed YAML 1.2 or JSON text; every value and key has its position.
 *
 * @param file the name used in diagnostics
 * @param root the whole value
 */
public record Document(String file, Located root) {

  /**
   * Parses one document. UTF-8, YAML core types (JSON included), merge keys; refused with a
   * diagnostic each: anything past the limits, a second document, duplicate keys, keys that are not
   * strings, tags outside the core schema, aliases that contain themselves, numbers that JSON
   * cannot hold. Never throws because of the content.
   *
   * @return the document, or empty when an error was reported
   */
  public static Optional<Document> parse(
      String file, byte[] bytes, Limits limits, Diagnostics diagnostics) {
    return YamlReader.read(file, bytes, limits, diagnostics);
  }

  /** As above, for text that was decoded already. */
  public static Optional<Document> parse(
      String file, String text, Limits limits, Diagnostics diagnostics) {
    return YamlReader.read(file, text, limits, diagnostics);
  }

  /**
   * Parses all documents of a file, such as Kubernetes manifests; empty ones are left out. The
   * limits are for all of them together.
   *
   * @return none when an error was reported
   */
  public static List<Document> parseAll(
      String file, byte[] bytes, Limits limits, Diagnostics diagnostics) {
    return YamlReader.readAll(file, bytes, limits, diagnostics);
  }

  /** The plain value of the whole document; see {@link Located#plain()}. */
  public @Nullable Object plain() {
    return root.plain();
  }

  /** The value at a path, if there is one. */
  public Optional<Located> at(Path path) {
    Optional<Located> here = Optional.of(root);
    for (Object segment : path.segments()) {
      here = here.flatMap(value -> step(value, segment));
    }
    return here;
  }

  /** Where the value at this path starts; the nearest enclosing value's place if it is missing. */
  public Position position(Path path) {
    return at(path).map(Located::at).orElseGet(() -> keyPosition(path.parent()));
  }

  /**
   * Where the key of this path was written: for a list item and for the root, the value itself; for
   * something missing, the key of the nearest enclosing value.
   */
  public Position keyPosition(Path path) {
    if (path.isRoot()) {
      return root.at();
    }
    Object last = path.segments().getLast();
    Optional<Position> found =
        at(path.parent())
            .flatMap(
                parent ->
                    parent instanceof Located.Mapping map && map.entries().containsKey(last)
                        ? Optional.of(map.entries().get(last).keyAt())
                        : step(parent, last).map(Located::at));
    return found.orElseGet(() -> keyPosition(path.parent()));
  }

  /** A reader of the root's fields; reports it when the root is not a map. */
  public Section section(Diagnostics diagnostics) {
    return Section.of(this, diagnostics);
  }

  /** The same document with another root, after an upgrade. */
  public Document with(Located otherRoot) {
    return new Document(file, otherRoot);
  }

  private static Optional<Located> step(Located from, Object segment) {
    return switch (from) {
      case Located.Mapping map when segment instanceof String key -> map.value(key);
      case Located.Sequence list
          when segment instanceof Integer index && index >= 0 && index < list.items().size() ->
          Optional.of(list.items().get(index));
      case Located.Mapping _, Located.Sequence _, Located.Scalar _ -> Optional.empty();
    };
  }
}
