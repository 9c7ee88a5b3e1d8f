package dev.slipway.server;

import dev.slipway.engine.threads.Threads;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.kubernetes.watch.ClusterWatches;
import dev.slipway.kubernetes.watch.OwnerBudget;
import dev.slipway.postgres.leases.Leases;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has resources looked at whose objects changed in a cluster without Slipway. Every replica watches
 * the clusters; one at a time, by a lease for each cluster, asks for looks. One that takes over
 * asks for what changed in the minute before.
 */
final class ClusterChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterChanges.class);
  private static final Duration LEASES = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration KINDS = Duration.ofHours(1);

  private final Parts parts;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final OwnerBudget budget = new OwnerBudget();
  private final Semaphore wake;
  private final Map<ClusterWatches, Runnable> led = new HashMap<>();
  private Instant leasesSeen = Instant.MIN;
  private volatile boolean closed;

  /** What it stands on. */
  record Parts(
      Clusters clusters,
      WarmCaches warm,
      Leases leases,
      Jdbi jdbi,
      Changed changed,
      InstantSource clock,
      Threads threads) {}

  /** Asks for looks at those of the ids that something has. */
  interface Changed {
    void ask(Handle tx, Set<UUID> owners);
  }

  ClusterChanges(Parts parts) {
    this.parts = parts;
    this.wake = parts.threads().permits(0);
  }

  ClusterChanges start() {
    parts.threads().attend("cluster changes", this::work);
    return this;
  }

  private void work() {
    Set<String> failed = new HashSet<>();
    while (!closed) {
      try {
        lead();
        Instant now = parts.clock().instant();
        failed.addAll(budget.take(now));
        ask(failed);
        failed.clear();
        rest(until(now));
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("changes in clusters cannot be followed up now, trying again: {}", e.toString());
        try {
          rest(AGAIN);
        } catch (InterruptedException interrupted) {
          return;
        }
      }
    }
  }

  private Duration until(Instant now) {
    Optional<Instant> next = budget.next();
    Instant leases = leasesSeen.plus(LEASES);
    Instant first = next.filter(at -> at.isBefore(leases)).orElse(leases);
    return first.isAfter(now) ? Duration.between(now, first) : Duration.ZERO;
  }

  private void rest(Duration longest) throws InterruptedException {
    if (wake.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      wake.drainPermits();
    }
  }

  private void ask(Collection<String> owners) {
    Set<UUID> ids = new HashSet<>();
    owners.forEach(owner -> id(owner).ifPresent(ids::add));
    if (!ids.isEmpty()) {
      parts.jdbi().useTransaction(tx -> parts.changed().ask(tx, ids));
    }
  }

  /** Runs without a resource own objects under other names, which nothing looks at. */
  private static Optional<UUID> id(String owner) {
    try {
      return Optional.of(UUID.fromString(owner));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Takes and gives up clusters as their leases say, now and then. */
  private void lead() {
    Instant now = parts.clock().instant();
    if (now.isBefore(leasesSeen.plus(LEASES))) {
      return;
    }
    leasesSeen = now;
    Set<ClusterWatches> mine = new HashSet<>();
    for (String name : parts.clusters().names()) {
      usable(name)
          .filter(cluster -> parts.leases().hold("cluster " + name).isPresent())
          .ifPresent(cluster -> mine.add(parts.warm().of(cluster).watches()));
    }
    led.entrySet().removeIf(entry -> !mine.contains(entry.getKey()) && end(entry.getValue()));
    mine.stream().filter(watches -> !led.containsKey(watches)).forEach(this::begin);
  }

  private Optional<Cluster> usable(String name) {
    try {
      return parts.clusters().find(name);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the list of clusters says why
    }
  }

  private static boolean end(Runnable listening) {
    listening.run();
    return true;
  }

  private void begin(ClusterWatches watches) {
    led.put(watches, watches.listen(change -> add(change.owner())));
    watches.changedLately().forEach(this::add);
    parts.threads().start("kinds of " + watches.cluster().name(), () -> findKinds(watches));
  }

  /** What other replicas apply first, this one watches within the hour, or with its first look. */
  private void findKinds(ClusterWatches watches) {
    while (!closed && !watches.cluster().closed() && watches.leads()) {
      try {
        Duration pause = KINDS;
        try {
          watches.watchOwned();
        } catch (ClusterDownException e) {
          pause = e.waitFor().plus(LEASES);
        }
        ended.await(pause.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn(
            "cluster {}: the kinds of Slipway's objects cannot be found: {}",
            watches.cluster().name(),
            e.toString());
        return;
      }
    }
  }

  private void add(String owner) {
    budget.add(owner, parts.clock().instant());
    wake.release();
  }

  @Override
  public void close() {
    closed = true;
    ended.countDown();
    wake.release();
    parts.warm().watches().forEach(ClusterWatches::close);
  }
}
