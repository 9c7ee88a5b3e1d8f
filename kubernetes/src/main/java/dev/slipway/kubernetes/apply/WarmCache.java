package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sha256;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.watch.ClusterWatches;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one cluster as they were when they were last found to be what a manifest says. While a
 * watch of their kind shows the same version, an apply of the same manifest needs no request at
 * all.
 */
public final class WarmCache {
  /** A watch that ended silently must not hide changes for longer. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final int MOST = 20_000;
  private static final int LARGEST = 16 << 10;

  private final ClusterWatches watches;
  private final InstantSource clock;
  private final Map<ObjectRef, Found> entries =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectRef, Found> eldest) {
          return size() > MOST;
        }
      };

  private record Found(String claim, ClusterObject object, Instant until) {}

  WarmCache(ClusterWatches watches, InstantSource clock) {
    this.watches = watches;
    this.clock = clock;
  }

  /** The watches that it relies on. */
  public ClusterWatches watches() {
    return watches;
  }

  /** Objects of that kind are in use: their changes are watched from now on. */
  void use(ApiKind kind) {
    watches.watch(kind);
  }

  /** A digest of what was found to hold for an object. */
  static String claim(Object... parts) {
    StringBuilder text = new StringBuilder();
    for (Object part : parts) {
      text.append(Json.write(part)).append('\n');
    }
    return Sha256.hex(text.toString());
  }

  /** The object, when the same was found to hold for it and it has not changed since. */
  Optional<ClusterObject> holds(ObjectRef ref, String claim) {
    @Nullable Found entry;
    synchronized (entries) {
      entry = entries.get(ref);
    }
    return entry != null
            && entry.claim().equals(claim)
            && clock.instant().isBefore(entry.until())
            && watches.at(ref.kind(), ref.namespace(), ref.name(), entry.object().resourceVersion())
        ? Optional.of(entry.object())
        : Optional.empty();
  }

  /** The object, when it has not changed since something was found to hold for it. */
  Optional<ClusterObject> unchanged(ObjectRef ref) {
    @Nullable Found entry;
    synchronized (entries) {
      entry = entries.get(ref);
    }
    return entry == null ? Optional.empty() : holds(ref, entry.claim());
  }

  /** Whether a watch shows that there is no such object of any owner. */
  boolean absent(ObjectRef ref) {
    return watches.absent(ref.kind(), ref.namespace(), ref.name());
  }

  /**
   * The same for a look that a change may have caused: only where this replica has told of all
   * changes that it knows, since the watch of another one may be a moment behind.
   */
  Optional<ClusterObject> sure(ObjectRef ref, String claim) {
    return watches.leads() ? holds(ref, claim) : Optional.empty();
  }

  /** Remembers what was found; never a Secret, and nothing large. */
  void note(ObjectRef ref, String claim, ClusterObject object) {
    Map<String, Object> kept = new LinkedHashMap<>(object.content());
    Map<String, Object> metadata = new LinkedHashMap<>(object.metadata());
    metadata.remove("managedFields");
    kept.put("metadata", metadata);
    watches.watch(ref.kind());
    if (ref.kind().granted().equals("Secret") || Json.write(kept).length() > LARGEST) {
      return;
    }
    synchronized (entries) {
      entries.put(ref, new Found(claim, new ClusterObject(kept), clock.instant().plus(LONGEST)));
    }
  }
}
