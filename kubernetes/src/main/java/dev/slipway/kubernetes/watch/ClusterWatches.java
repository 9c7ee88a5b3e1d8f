package dev.slipway.kubernetes.watch;

import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watches of one cluster, one for each kind of which owned objects are in use. */
public final class ClusterWatches {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatches.class);

  /** No cluster has so many kinds of which providers make objects. */
  private static final int MOST = 200;

  private final Cluster cluster;
  private final WatchMeans means;
  private final Map<ApiKind, ObjectWatch> watches = new ConcurrentHashMap<>();
  private final List<Consumer<OwnedChange>> listeners = new CopyOnWriteArrayList<>();
  private final RecentChanges recent;
  private boolean complete = true;

  /** {@code slipway.dev/owner} and the like are told by {@code means}. */
  public ClusterWatches(Cluster cluster, WatchMeans means) {
    this.cluster = cluster;
    this.means = means;
    this.recent = new RecentChanges(means.clock());
  }

  /**
   * What is known of a watch.
   *
   * @param requests how many requests it has sent
   */
  public record View(ApiKind kind, Duration staleness, int objects, long requests) {}

  public Cluster cluster() {
    return cluster;
  }

  /** Watches that kind from now on. */
  public void watch(ApiKind kind) {
    if (watches.containsKey(kind) || watches.size() >= MOST || cluster.closed()) {
      return;
    }
    ObjectWatch watch =
        new ObjectWatch(
            cluster, kind, new ObjectWatch.Means(means, this::changed, this::statusChanged));
    if (watches.putIfAbsent(kind, watch) == null) {
      means.threads().start("watch " + cluster.name() + " " + kind.granted(), watch::run);
    }
  }

  /** Watches all kinds of which the cluster has owned objects. */
  public void watchOwned() throws ClusterDownException, InterruptedException {
    new OwnedKinds(cluster, means.owner()).find().forEach(this::watch);
  }

  /** Whether changes lead to looks that this replica asks for. */
  public boolean leads() {
    return !listeners.isEmpty();
  }

  /** Calls back on the thread of a watch, which waits meanwhile; the answer ends it. */
  public Runnable listen(Consumer<OwnedChange> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  private void changed(OwnedChange change) {
    recent.add(change.owner());
    listeners.forEach(listener -> listener.accept(change));
  }

  /** The owners of objects that changed lately, for a listener that comes later. */
  public Collection<String> changedLately() {
    return recent.owners();
  }

  /** Whether the object is at that version now; no, when that is not known. */
  public boolean at(ApiKind kind, Optional<String> namespace, String name, String version) {
    ObjectWatch watch = watches.get(kind);
    return watch != null
        && stands(kind)
        && watch
            .objects()
            .find(OwnedObjects.name(namespace, name))
            .filter(object -> object.isVersion(version))
            .isPresent();
  }

  /** Whether there is no such object with an owner now; no, when that is not known. */
  public boolean absent(ApiKind kind, Optional<String> namespace, String name) {
    ObjectWatch watch = watches.get(kind);
    return watch != null
        && stands(kind)
        && watch.objects().find(OwnedObjects.name(namespace, name)).isEmpty();
  }

  /** Whether changes of objects of that kind are seen now. */
  boolean stands(ApiKind kind) {
    ObjectWatch watch = watches.get(kind);
    return watch != null && watch.status().state() == WatchStatus.State.WATCHES;
  }

  /** All watches, for metrics. */
  public List<View> views() {
    Instant now = means.clock().instant();
    return watches.values().stream()
        .map(
            watch ->
                new View(
                    watch.kind(),
                    Duration.between(watch.status().heard(), now),
                    watch.objects().size(),
                    watch.requests()))
        .toList();
  }

  /** One line when the first watch is lost, and one when all stand again. */
  private synchronized void statusChanged(ObjectWatch changed) {
    Map<ApiKind, String> away = new LinkedHashMap<>();
    boolean begins = false;
    for (ObjectWatch watch : watches.values()) {
      WatchStatus status = watch.status();
      switch (status.state()) {
        case LOST -> away.put(watch.kind(), status.why());
        case BEGINS, SILENT -> begins = true;
        case WATCHES, REFUSED -> {}
      }
    }
    if (changed.status().state() == WatchStatus.State.REFUSED) {
      LOG.warn(
          "cluster {}: {} cannot be watched ({}); changes are found by looks, once an interval",
          cluster.name(),
          changed.kind().granted(),
          changed.status().why());
    }
    if (complete && !away.isEmpty()) {
      complete = false;
      List<String> kinds = new ArrayList<>();
      away.forEach((kind, why) -> kinds.add(kind.granted() + ": " + why));
      LOG.warn(
          "cluster {}: watches are lost and begun again with pauses ({})",
          cluster.name(),
          String.join(", ", kinds));
    } else if (!complete && away.isEmpty() && !begins) {
      complete = true;
      LOG.info("cluster {}: all {} watches stand again", cluster.name(), watches.size());
    }
  }

  /** Ends them. */
  public void close() {
    watches.values().forEach(ObjectWatch::close);
  }
}
