package dev.slipway.bench;

import dev.slipway.engine.value.Json;
import dev.slipway.kubernetes.apply.WarmCache;
import dev.slipway.kubernetes.cluster.Cluster;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What 5,000 owned objects cost while nothing changes: requests and memory. */
final class IdleObjects {
  private static final int OBJECTS = 5_000;
  private static final int SECONDS = 30;
  private static final int LONGEST_WARMING = 60;

  private final Cluster cluster;
  private final BareApply bare;
  private double alone;

  IdleObjects(Cluster cluster, BareApply bare) {
    this.cluster = cluster;
    this.bare = bare;
  }

  /** The cluster by itself, before it knows Slipway. */
  void before() throws Exception {
    alone = requests();
  }

  /** Requests a second that the API server answered. */
  private double requests() throws Exception {
    long start = BenchCluster.requests(bare);
    TimeUnit.SECONDS.sleep(SECONDS);
    return (BenchCluster.requests(bare) - start - 1) / (double) SECONDS;
  }

  void measure(Figures figures, WarmCache warm) throws Exception {
    SettingsObjects objects = new SettingsObjects("idle").made(bare);
    long before = used();
    SettingsObjects.all(OBJECTS, number -> objects.apply(cluster, warm, number, "a"));
    warm(objects, warm);
    long each = (used() - before) / OBJECTS;
    int size = Json.write(objects.content(0, "a")).length();
    double with = requests();
    figures.add(
        "requests a second, %,d owned objects that nothing changes".formatted(OBJECTS),
        "%.1f/s".formatted(with),
        "about 0 more than the cluster alone",
        "the cluster alone: %.1f/s".formatted(alone),
        "%+.2f/s".formatted(with - alone));
    figures.add(
        "memory of watch and cache for an owned object",
        "%,d bytes".formatted(each),
        "",
        "its manifest as JSON: %,d bytes".formatted(size),
        "%.2f".formatted((double) each / size));
  }

  /** Until an apply of all of them sends no request. */
  private void warm(SettingsObjects objects, WarmCache warm) throws Exception {
    for (int seconds = 0; seconds < LONGEST_WARMING; seconds++) {
      long sent = cluster.reads() + cluster.writes();
      SettingsObjects.all(OBJECTS, number -> objects.apply(cluster, warm, number, "a"));
      if (cluster.reads() + cluster.writes() == sent) {
        return;
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new IllegalStateException("the cache does not get warm");
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
