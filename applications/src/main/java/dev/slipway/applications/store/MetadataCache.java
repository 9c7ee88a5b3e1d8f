package dev.slipway.applications.store;

import dev.slipway.engine.value.Sealed;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of specs, which each run gets as parameters. PostgreSQL reads a whole document to
 * find them, so they are kept for the applications of the last turns; a revision never changes.
 * Sealed values are read each time, since they are sealed again when the key changes.
 */
final class MetadataCache {
  private static final int KEPT = 64;

  private record Revision(UUID application, int revision) {}

  private final Map<Revision, Map<String, @Nullable Object>> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(KEPT, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(
                Map.Entry<Revision, Map<String, @Nullable Object>> eldest) {
              return size() > KEPT;
            }
          });

  Map<String, @Nullable Object> of(Handle handle, ApplicationRow application) {
    Revision revision = new Revision(application.id(), application.revision());
    Map<String, @Nullable Object> known = kept.get(revision);
    if (known != null) {
      return known;
    }
    Map<String, @Nullable Object> read = Situations.metadata(handle, application);
    if (!sealed(read)) {
      kept.put(revision, read);
    }
    return read;
  }

  private static boolean sealed(@Nullable Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> map.values().stream().anyMatch(MetadataCache::sealed);
      case Iterable<?> list -> {
        for (Object value : list) {
          if (sealed(value)) {
            yield true;
          }
        }
        yield false;
      }
      case Sealed sealed -> true;
      case null, default -> false;
    };
  }
}
