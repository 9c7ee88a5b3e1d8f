package dev.slipway.engine.intake;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/** The keys of one map: how they were written, and which of them a reader has asked for. */
final class Keys {
  private final Located.Mapping map;
  private final Spelling spelling;
  private final Map<String, String> written = new LinkedHashMap<>();
  private final SequencedSet<String> asked = new LinkedHashSet<>();
  private final SequencedSet<String> table = new LinkedHashSet<>();

  /** Two spellings of one key are reported right away. */
  Keys(Located.Mapping map, Spelling spelling, Path path, Findings findings) {
    this.map = map;
    this.spelling = spelling;
    map.entries()
        .forEach(
            (key, entry) -> {
              String earlier = written.putIfAbsent(spelling.fold(key), key);
              if (earlier != null) {
                String message = "this is the same key as '" + earlier + "'";
                String hint = "Remove one of them.";
                findings.error("duplicate-key", path.child(key), entry.keyAt(), message, hint);
              }
            });
  }

  /** The key as the document spells it; the asked one when it is absent. */
  String written(String key) {
    return written.getOrDefault(spelling.fold(key), key);
  }

  Optional<Located.Entry> ask(String key) {
    if (!table.isEmpty() && !table.contains(key)) {
      throw new IllegalStateException("field '" + key + "' is not in the table: " + table);
    }
    asked.add(key);
    return Optional.ofNullable(map.entries().get(written(key)));
  }

  Optional<Position> keyAt(String key) {
    return Optional.ofNullable(map.entries().get(written(key))).map(Located.Entry::keyAt);
  }

  void only(Collection<String> fields) {
    asked.clear();
    asked.addAll(fields);
    table.addAll(fields);
  }

  void know(List<String> keys) {
    asked.addAll(keys);
  }

  /** Reports the keys that no field has read. */
  void reportOthers(Severity severity, Path path, Findings findings) {
    var known = new HashSet<String>();
    asked.forEach(key -> known.add(spelling.fold(key)));
    written.forEach(
        (folded, key) -> {
          if (!known.contains(folded)) {
            Position keyAt = map.entry(key).keyAt();
            findings.unknownField(severity, path.child(key), keyAt, asked);
          }
        });
  }
}
