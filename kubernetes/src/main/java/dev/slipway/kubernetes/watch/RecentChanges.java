package dev.slipway.kubernetes.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The owners of objects that changed in the last minute, for a replica that takes over from one
 * that has died: that one may have told of none of them.
 */
final class RecentChanges {
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final int MOST = 10_000;

  private final InstantSource clock;
  private final LinkedHashMap<String, Instant> owners = new LinkedHashMap<>();

  RecentChanges(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void add(String owner) {
    owners.remove(owner);
    owners.put(owner, clock.instant());
    forget();
  }

  private void forget() {
    Instant oldest = clock.instant().minus(KEPT);
    while (!owners.isEmpty()) {
      Map.Entry<String, Instant> eldest = owners.firstEntry();
      if (owners.size() <= MOST && !eldest.getValue().isBefore(oldest)) {
        return;
      }
      owners.pollFirstEntry();
    }
  }

  synchronized Collection<String> owners() {
    forget();
    return List.copyOf(owners.keySet());
  }
}
