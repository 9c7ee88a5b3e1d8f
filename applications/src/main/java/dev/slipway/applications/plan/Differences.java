package dev.slipway.applications.plan;

import dev.slipway.engine.intake.Path;
import dev.slipway.engine.plan.FieldChange;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.plan.UnknownValue;
import dev.slipway.engine.value.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Two trees compared leaf by leaf, secrets masked. */
record Differences(Fingerprint fingerprint) {
  /** The leaf that stands for "nothing here", as null is a value. */
  private static final Object NOTHING = new Object();

  List<FieldChange> between(@Nullable Object before, @Nullable Object after) {
    Map<String, @Nullable Object> old = leaves(before);
    Map<String, @Nullable Object> fresh = leaves(after);
    Map<String, @Nullable Object> paths = new TreeMap<>(old);
    paths.putAll(fresh);
    List<FieldChange> changes = new ArrayList<>();
    for (String path : paths.keySet()) {
      Object was = old.getOrDefault(path, NOTHING);
      Object is = fresh.getOrDefault(path, NOTHING);
      if (was == NOTHING) {
        changes.add(new FieldChange(path, FieldChange.Kind.ADDED, null, shown(is)));
      } else if (is == NOTHING) {
        changes.add(new FieldChange(path, FieldChange.Kind.REMOVED, shown(was), null));
      } else if (!fingerprint.same(was, is)) {
        changes.add(new FieldChange(path, FieldChange.Kind.CHANGED, shown(was), shown(is)));
      }
    }
    return changes;
  }

  private static @Nullable Object shown(@Nullable Object leaf) {
    return leaf instanceof Sealed || leaf instanceof UnknownValue ? leaf.toString() : leaf;
  }

  private static Map<String, @Nullable Object> leaves(@Nullable Object tree) {
    Map<String, @Nullable Object> out = new TreeMap<>();
    if (tree != null) {
      collect(tree, Path.ROOT, out);
    }
    return out;
  }

  private static void collect(
      @Nullable Object value, Path path, Map<String, @Nullable Object> out) {
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() || path.isRoot() ->
          map.forEach((key, inner) -> collect(inner, path.child((String) key), out));
      case List<?> list when !list.isEmpty() -> {
        for (int i = 0; i < list.size(); i++) {
          collect(list.get(i), path.child(i), out);
        }
      }
      case null, default -> out.put(path.toString(), value);
    }
  }
}
