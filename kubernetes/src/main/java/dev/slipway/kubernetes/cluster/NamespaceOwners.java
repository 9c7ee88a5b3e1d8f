package dev.slipway.kubernetes.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The teams of namespaces as they were read a moment ago. Entries are short-lived: a namespace can
 * be deleted and made again for another team.
 */
public final class NamespaceOwners {
  private static final Duration LIFE = Duration.ofSeconds(30);
  private static final int MOST = 10_000;

  private final InstantSource clock;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(String team, Instant until) {}

  NamespaceOwners(InstantSource clock) {
    this.clock = clock;
  }

  /** The team of a namespace, when that was read a moment ago. */
  public Optional<String> owner(String namespace) {
    return Optional.ofNullable(entries.get(namespace))
        .filter(entry -> clock.instant().isBefore(entry.until()))
        .map(Entry::team);
  }

  /** Notes what was read. */
  public void note(String namespace, String team) {
    if (entries.size() >= MOST) {
      entries.clear();
    }
    entries.put(namespace, new Entry(team, clock.instant().plus(LIFE)));
  }
}
