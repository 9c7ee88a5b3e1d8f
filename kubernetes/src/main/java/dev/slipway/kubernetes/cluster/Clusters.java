package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.resolve.ClusterSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clusters of the configuration in force. A changed entry gets a new client. */
public final class Clusters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Clusters.class);

  private static final Duration LONGEST_LOOK = Duration.ofSeconds(3);

  private final Supplier<Map<String, ClusterSettings>> configured;
  private final InstantSource clock;
  private final Map<String, Cluster> open = new HashMap<>();

  /** {@code configured} gives the entries of now. */
  public Clusters(Supplier<Map<String, ClusterSettings>> configured, InstantSource clock) {
    this.configured = configured;
    this.clock = clock;
  }

  /** Their names. */
  public Set<String> names() {
    return new TreeSet<>(configured.get().keySet());
  }

  /**
   * The cluster of that name.
   *
   * @throws IllegalArgumentException when its settings cannot be used; the message has no secret
   */
  public Optional<Cluster> find(String name) {
    Map<String, ClusterSettings> now = configured.get();
    synchronized (open) {
      drop(now);
      ClusterSettings settings = now.get(name);
      if (settings == null) {
        return Optional.empty();
      }
      return Optional.of(open.computeIfAbsent(name, _ -> new Cluster(name, settings, clock)));
    }
  }

  private void drop(Map<String, ClusterSettings> now) {
    open.values()
        .removeIf(
            cluster -> {
              boolean changed = !cluster.settings().equals(now.get(cluster.name()));
              if (changed) {
                LOG.info("cluster {} has other settings, it gets a new client", cluster.name());
                cluster.close();
              }
              return changed;
            });
  }

  /** How all clusters are, looked at all at once unless that was done in this time. */
  public Map<String, ClusterHealth> health(Duration fresh) throws InterruptedException {
    Instant since = clock.instant().minus(fresh);
    Map<String, ClusterHealth> all = new TreeMap<>();
    List<Cluster> usable = new ArrayList<>();
    for (String name : names()) {
      try {
        find(name).ifPresent(usable::add);
      } catch (IllegalArgumentException e) {
        all.put(
            name,
            new ClusterHealth(
                ClusterHealth.State.MISCONFIGURED,
                Optional.empty(),
                String.valueOf(e.getMessage()),
                clock.instant()));
      }
    }
    List<Cluster.Look> looks = new ArrayList<>();
    usable.forEach(cluster -> cluster.look(since).ifPresent(looks::add));
    Instant until = clock.instant().plus(LONGEST_LOOK);
    for (Cluster.Look look : looks) {
      look.finish(Duration.between(clock.instant(), until));
    }
    usable.forEach(cluster -> all.put(cluster.name(), cluster.health()));
    return all;
  }

  @Override
  public void close() {
    synchronized (open) {
      open.values().forEach(Cluster::close);
      open.clear();
    }
  }
}
