package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.cluster.Cluster;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The caches of all clusters in use; that of a closed one goes. */
public final class WarmCaches {
  private final InstantSource clock;
  private final Map<Cluster, WarmCache> caches = new ConcurrentHashMap<>();

  public WarmCaches(InstantSource clock) {
    this.clock = clock;
  }

  /** The cache of a cluster. */
  public WarmCache of(Cluster cluster) {
    caches.keySet().removeIf(Cluster::closed);
    return caches.computeIfAbsent(cluster, one -> new WarmCache(one, clock));
  }
}
