package dev.slipway.postgres.reconcile;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of one replica. One thread finds keys that are due, the workers of each kind take them
 * one by one. Signals with a notification are found at once, all others by polling, so that a lost
 * notification costs time and no work. Signals of a kind without a reconciler stay where they are.
 */
public final class ReconcileLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);
  private static final Duration DATABASE_AWAY = Duration.ofSeconds(1);
  private static final Duration SHORTEST_LOOK = Duration.ofMillis(1);
  private static final int FOUND_AT_ONCE = 50;

  private final Parts parts;
  private final Turns turns;
  private final List<Lane> lanes;
  private final Semaphore look;
  private final List<Thread> running = new ArrayList<>();
  private Runnable unsubscribe = () -> {};
  private volatile boolean closed;

  /**
   * What the loop stands on.
   *
   * @param pollInterval how long an unannounced signal waits at most
   */
  public record Parts(
      Jdbi jdbi,
      Notifications notifications,
      InstantSource clock,
      Duration pollInterval,
      Threads threads) {}

  /** Takes turns when called, or by itself after {@link #start()}. */
  public ReconcileLoop(Parts parts, List<? extends Reconciler> reconcilers) {
    this.parts = parts;
    this.turns = new Turns(parts.jdbi(), parts.clock());
    this.look = parts.threads().permits(0);
    this.lanes = reconcilers.stream().map(Lane::new).toList();
  }

  /** Begins. */
  public ReconcileLoop start() {
    unsubscribe = parts.notifications().subscribe(Topic.SIGNALS, kind -> look.release());
    for (Lane lane : lanes) {
      for (int i = 1; i <= lane.reconciler.width(); i++) {
        String name = "reconcile " + lane.reconciler.kind() + " " + i;
        running.add(parts.threads().attend(name, lane::work));
      }
    }
    running.add(parts.threads().attend("reconcile", this::find));
    return this;
  }

  @Override
  public void close() {
    closed = true;
    unsubscribe.run();
    running.forEach(Thread::interrupt);
  }

  /** One turn for each key that is due, on the caller's thread; how many keys were reconciled. */
  public int advanceDue() {
    int done = 0;
    for (Lane lane : lanes) {
      for (String key : lane.due(Set.of())) {
        done += turns.take(lane.reconciler, key) == Turns.Outcome.DONE ? 1 : 0;
      }
    }
    return done;
  }

  /** What a person has to know: signals that this replica leaves alone, keys whose turns fail. */
  public Optional<String> health() {
    List<String> kinds = kinds();
    List<String> found = new ArrayList<>();
    try {
      parts
          .jdbi()
          .useHandle(
              h -> {
                for (Signals.Waiting waiting : Signals.unknown(h, kinds)) {
                  found.add(
                      waiting.signals()
                          + " signals of kind '"
                          + waiting.kind()
                          + "' wait for a replica that reconciles it");
                }
                long failing =
                    h.createQuery("SELECT count(*) FROM timers WHERE failures > 0")
                        .mapTo(Long.class)
                        .one();
                if (failing > 0) {
                  found.add(failing + " keys cannot be reconciled, see table timers");
                }
              });
    } catch (RuntimeException e) {
      return Optional.empty(); // the check of the database says more
    }
    return Optional.of(found.isEmpty() ? "ok" : String.join("; ", found));
  }

  private List<String> kinds() {
    return lanes.stream().map(lane -> lane.reconciler.kind()).toList();
  }

  private void find() {
    while (!closed) {
      try {
        lanes.forEach(Lane::fill);
        await(untilNextLook());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (closed) {
          return;
        }
        LOG.warn("keys to reconcile cannot be found now, trying again: {}", e.toString());
        try {
          await(DATABASE_AWAY);
        } catch (InterruptedException interrupted) {
          return;
        }
      }
    }
  }

  private void await(Duration longest) throws InterruptedException {
    look.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS);
    look.drainPermits();
  }

  private Duration untilNextLook() {
    Instant now = parts.clock().instant();
    Optional<Duration> timer =
        parts
            .jdbi()
            .withHandle(h -> DueKeys.nextTimer(h, kinds(), now))
            .map(due -> Duration.between(now, due));
    Duration first =
        Stream.concat(
                timer.stream(), lanes.stream().flatMap(lane -> lane.pauses.shortest().stream()))
            .min(Duration::compareTo)
            .orElse(parts.pollInterval());
    return first.compareTo(parts.pollInterval()) < 0
        ? first.plus(SHORTEST_LOOK)
        : parts.pollInterval();
  }

  /** One kind: its queue of keys and those that this replica is at. */
  private final class Lane {
    private final Reconciler reconciler;
    private final DueKeys keys;
    private final BlockingQueue<String> queue = parts.threads().mailbox();
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final Pauses pauses = new Pauses();

    Lane(Reconciler reconciler) {
      this.reconciler = reconciler;
      this.keys = new DueKeys(reconciler.kind());
    }

    List<String> due(Set<String> without) {
      Instant now = parts.clock().instant();
      return parts.jdbi().withHandle(h -> keys.find(h, now, without, FOUND_AT_ONCE));
    }

    void fill() {
      if (queue.size() >= reconciler.width()) {
        return;
      }
      Set<String> without = new HashSet<>(taken);
      without.addAll(pauses.now());
      for (String key : due(without)) {
        if (taken.add(key)) {
          queue.add(key);
        }
      }
    }

    void work() {
      while (!closed) {
        try {
          turn(queue.take());
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    private void turn(String key) {
      try {
        long began = System.nanoTime();
        switch (turns.take(reconciler, key)) {
          case DONE, NOTHING_DUE, FAILED ->
              pauses.afterTurn(key, Duration.ofNanos(System.nanoTime() - began));
          case LOCKED -> pauses.locked(key);
          case DATABASE_AWAY -> pauses.put(key, DATABASE_AWAY);
        }
      } finally {
        taken.remove(key);
        if (queue.size() < reconciler.width()) {
          look.release();
        }
      }
    }
  }
}
