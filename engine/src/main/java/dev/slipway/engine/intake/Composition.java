package dev.slipway.engine.intake;

import dev.slipway.engine.intake.CoreScalar.NotRepresentable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * Builds the located tree of one document from parser events. Values are counted as if aliases had
 * been written out, so an alias costs what it unfolds to and shared parts stay shared in memory.
 */
final class Composition {
  /** Reading stops here: going on would cost more than the limits allow. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stop() {
      super("stopped at a limit", null, false, false);
    }
  }

  /** A finished anchored value with what it costs to repeat it; null value while unfinished. */
  private record Anchored(@Nullable Located value, int nodes, int height) {}

  private final String file;
  private final Limits limits;
  private final Diagnostics diagnostics;
  private final ScalarPlaces places;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int nodes;
  private int deepest;
  private boolean failed;

  Composition(String file, String text, Limits limits, Diagnostics diagnostics) {
    this.file = file;
    this.limits = limits;
    this.diagnostics = diagnostics;
    this.places = new ScalarPlaces(text);
  }

  Optional<Located> compose(Iterator<Event> events) {
    try {
      return document(events);
    } catch (Stop e) {
      return Optional.empty();
    }
  }

  /** All documents of a stream, without empty ones; none when an error was reported. */
  List<Located> composeAll(Iterator<Event> events) {
    var documents = new ArrayList<Located>();
    try {
      events.next(); // stream start
      while (events.next().getEventId() != Event.ID.StreamEnd) {
        anchors.clear();
        Located root = node(events.next(), events, Path.ROOT, 0);
        events.next(); // document end
        if (!(root instanceof Located.Scalar leaf) || leaf.value() != null) {
          documents.add(root);
        }
      }
    } catch (Stop e) {
      return List.of();
    }
    return failed ? List.of() : documents;
  }

  private Optional<Located> document(Iterator<Event> events) {
    events.next(); // stream start
    if (events.next().getEventId() == Event.ID.StreamEnd) {
      error("empty-document", Path.ROOT, Position.START, "the document is empty", null);
      return Optional.empty();
    }
    Located root = node(events.next(), events, Path.ROOT, 0);
    events.next(); // document end
    Event next = events.next();
    if (next.getEventId() != Event.ID.StreamEnd) {
      String hint = "Submit each document as a file of its own.";
      error("several-documents", Path.ROOT, place(next), "only one document is allowed", hint);
    }
    return failed ? Optional.empty() : Optional.of(root);
  }

  private Located node(Event event, Iterator<Event> events, Path path, int depth) {
    if (event instanceof AliasEvent alias) {
      return alias(alias, path, depth);
    }
    count(1, path, place(event));
    Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
    anchor.ifPresent(name -> anchors.put(name, new Anchored(null, 0, 0)));
    int nodesBefore = nodes - 1;
    int deepestBefore = deepest;
    deepest = depth;
    Located value =
        event instanceof ScalarEvent scalar
            ? scalar(scalar, path)
            : collection((CollectionStartEvent) event, events, path, depth + 1);
    int height = deepest - depth;
    deepest = Math.max(deepest, deepestBefore);
    anchor.ifPresent(name -> anchors.put(name, new Anchored(value, nodes - nodesBefore, height)));
    return value;
  }

  private Located collection(
      CollectionStartEvent start, Iterator<Event> events, Path path, int depth) {
    reach(depth, path, place(start));
    String expected = start instanceof MappingStartEvent ? "map" : "seq";
    start.getTag().ifPresent(tag -> checkTag(tag, expected, path, place(start)));
    if (start instanceof MappingStartEvent) {
      return new MappingComposition(start, path, depth).compose(events);
    }
    var items = new ArrayList<Located>();
    for (Event e = events.next(); e.getEventId() != Event.ID.SequenceEnd; e = events.next()) {
      items.add(node(e, events, path.child(items.size()), depth));
    }
    return new Located.Sequence(items, place(start));
  }

  private Located alias(AliasEvent alias, Path path, int depth) {
    Anchored anchored = anchors.get(alias.getAlias());
    if (anchored == null || anchored.value() == null) {
      String message =
          anchored == null
              ? "no anchor '&" + alias.getAlias() + "' before this alias"
              : "the alias '*" + alias.getAlias() + "' contains itself";
      error(anchored == null ? "unknown-anchor" : "alias-loop", path, place(alias), message, null);
      return new Located.Scalar(null, "", place(alias));
    }
    count(anchored.nodes(), path, place(alias));
    reach(depth + anchored.height(), path, place(alias));
    return anchored.value();
  }

  private Located.Scalar scalar(ScalarEvent event, Path path) {
    String text = event.getValue();
    Position at = place(event);
    Object value = text;
    try {
      String tag = event.getTag().orElse(null);
      if (tag != null && !tag.equals("!")) {
        value = tagged(tag, text, path, at);
      } else if (tag == null && event.isPlain()) {
        value = CoreScalar.plain(text);
      }
    } catch (NotRepresentable e) {
      error(
          "invalid-number",
          path,
          at,
          String.valueOf(e.getMessage()),
          "Quote it if it is meant as text.");
    }
    checkCharacters(text, path, at);
    return new Located.Scalar(value, text, at, places.of(event));
  }

  /** Escapes can write what UTF-8 cannot carry and a database cannot store. */
  private void checkCharacters(String text, Path path, Position at) {
    int bad = -1;
    for (int i = 0; i < text.length() && bad < 0; i++) {
      char c = text.charAt(i);
      boolean paired =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      i += paired ? 1 : 0;
      bad = c == 0 || Character.isSurrogate(c) && !paired ? c : -1;
    }
    if (bad >= 0) {
      String message = String.format("the character U+%04X is not allowed in text", bad);
      error("control-character", path, at, message, "Remove the escape, or encode it in base64.");
    }
  }

  private @Nullable Object tagged(String tag, String text, Path path, Position at)
      throws NotRepresentable {
    String name = tag.startsWith(CORE) ? tag.substring(CORE.length()) : tag;
    Object value = name.equals("str") ? text : CoreScalar.plain(text);
    boolean fits =
        switch (name) {
          case "str" -> true;
          case "int" -> value instanceof Number && !(value instanceof Double);
          case "float" -> value instanceof Number;
          case "bool" -> value instanceof Boolean;
          case "null" -> value == null;
          default -> false;
        };
    if (checkTag(tag, "str", path, at) && !fits) {
      String message = "'" + text + "' does not fit its tag";
      error("invalid-value", path, at, message, null);
    }
    return name.equals("float") && value instanceof Number n ? (Object) n.doubleValue() : value;
  }

  private static final String CORE = "tag:yaml.org,2002:";

  private boolean checkTag(String tag, String expected, Path path, Position at) {
    boolean core = tag.equals("!") || tag.equals(CORE + expected);
    boolean scalar = expected.equals("str") && tag.matches(CORE + "(int|float|bool|null)");
    if (!core && !scalar) {
      String shown = tag.startsWith(CORE) ? "!!" + tag.substring(CORE.length()) : tag;
      String hint = "Remove the tag; only plain YAML and JSON values are read.";
      error("custom-tag", path, at, "the tag '" + shown + "' is not allowed", hint);
    }
    return core || scalar;
  }

  private void count(int more, Path path, Position at) {
    nodes += more;
    if (nodes > limits.nodes()) {
      String message = "more than " + limits.nodes() + " values, counted after aliases";
      error("too-many-nodes", path, at, message, "Split the document or use fewer aliases.");
      throw new Stop();
    }
  }

  private void reach(int depth, Path path, Position at) {
    deepest = Math.max(deepest, depth);
    if (depth > limits.depth()) {
      // The path itself would be as long as the nesting: the position says enough.
      String message = "nested deeper than " + limits.depth() + " levels";
      error("too-deep", Path.ROOT, at, message, null);
      throw new Stop();
    }
  }

  private void error(String code, Path path, Position at, String message, @Nullable String hint) {
    failed = true;
    diagnostics.add(Diagnostic.error(code, file, path, at, message, hint));
  }

  private static Position place(Event event) {
    return event.getStartMark().map(YamlReader::position).orElse(Position.START);
  }

  /** One map: its keys, and the maps merged into it. */
  private final class MappingComposition {
    private final Position at;
    private final Path path;
    private final int depth;
    private final LinkedHashMap<String, Located.Entry> entries = new LinkedHashMap<>();
    private final ArrayList<Located.Mapping> merged = new ArrayList<>();

    MappingComposition(CollectionStartEvent start, Path path, int depth) {
      this.at = place(start);
      this.path = path;
      this.depth = depth;
    }

    Located.Mapping compose(Iterator<Event> events) {
      for (Event e = events.next(); e.getEventId() != Event.ID.MappingEnd; e = events.next()) {
        entry(e, events);
      }
      for (Located.Mapping other : merged) {
        count(other.entries().size(), path, at);
        other.entries().forEach(entries::putIfAbsent);
      }
      return new Located.Mapping(entries, at);
    }

    private void entry(Event keyEvent, Iterator<Event> events) {
      boolean merge = keyEvent instanceof ScalarEvent s && s.isPlain() && s.getValue().equals("<<");
      Located keyValue = node(keyEvent, events, path, depth);
      nodes--; // the limit is on values
      Position keyAt = place(keyEvent);
      String key = keyValue.plain() instanceof String text ? text : notAKey(keyValue, keyAt);
      Located value = node(events.next(), events, path.child(key), depth);
      if (merge) {
        merge(value, keyAt);
      } else {
        var earlier = entries.putIfAbsent(key, new Located.Entry(keyAt, value));
        if (earlier != null) {
          String message = "the key '" + key + "' is already set at " + earlier.keyAt();
          error("duplicate-key", path.child(key), keyAt, message, "Remove one of them.");
        }
      }
    }

    private String notAKey(Located found, Position keyAt) {
      String text = found instanceof Located.Scalar scalar ? scalar.text() : "";
      String hint = text.isEmpty() ? null : "Write \"" + text + "\" in quotes.";
      String message = "a key must be a string, this is " + found.kind();
      error("key-not-string", path, keyAt, message, hint);
      return text;
    }

    private void merge(Located value, Position keyAt) {
      switch (value) {
        case Located.Mapping map -> merged.add(map);
        case Located.Sequence list -> list.items().forEach(item -> mergeItem(item, keyAt));
        case Located.Scalar _ -> mergeItem(value, keyAt);
      }
    }

    private void mergeItem(Located item, Position keyAt) {
      if (item instanceof Located.Mapping map) {
        merged.add(map);
      } else {
        String message = "the merge key '<<' takes a map or a list of maps, not " + item.kind();
        error("invalid-merge", path, keyAt, message, null);
      }
    }
  }
}
