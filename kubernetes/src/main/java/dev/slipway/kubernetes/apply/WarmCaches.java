package dev.slipway.kubernetes.apply;

import dev.slipway.engine.threads.Threads;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.watch.ClusterWatches;
import dev.slipway.kubernetes.watch.WatchMeans;
import dev.slipway.kubernetes.watch.WatchTiming;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The caches and watches of all clusters in use; those of a closed one go. */
public final class WarmCaches {
  private final WatchMeans means;
  private final Map<Cluster, WarmCache> caches = new ConcurrentHashMap<>();

  /** Of watches by these means. */
  public WarmCaches(WatchMeans means) {
    this.means = means;
  }

  /** Watches of what Slipway owns, with the usual times. */
  public static WatchMeans means(
      Supplier<HealthRules> rules, InstantSource clock, Threads threads) {
    return means(rules, WatchTiming.DEFAULT, clock, threads);
  }

  /** Watches of what Slipway owns. */
  public static WatchMeans means(
      Supplier<HealthRules> rules, WatchTiming timing, InstantSource clock, Threads threads) {
    return new WatchMeans(Stamp.OWNER, Stamp.MANAGER, rules, timing, clock, threads);
  }

  /** The cache of a cluster. */
  public WarmCache of(Cluster cluster) {
    caches.keySet().removeIf(Cluster::closed);
    return caches.computeIfAbsent(
        cluster, one -> new WarmCache(new ClusterWatches(one, means), means.clock()));
  }

  /** The watches of all clusters that were used. */
  public Collection<ClusterWatches> watches() {
    caches.keySet().removeIf(Cluster::closed);
    return List.copyOf(caches.values()).stream().map(WarmCache::watches).toList();
  }
}
