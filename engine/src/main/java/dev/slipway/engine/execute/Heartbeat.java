package dev.slipway.engine.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this replica's runs, five times per lease, all with one statement. Stops the
 * worker of a run that another replica owns by now, and of a run whose lease ended while the
 * database could not be reached, because another replica may own it.
 */
final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final int BEATS_PER_LEASE = 5;
  private static final int SOON = 60;
  private static final Duration RETRY_ABANDONED = Duration.ofSeconds(5);

  private final EngineContext context;
  private final Map<UUID, Dispatcher.Held> held;
  private final Map<UUID, Long> abandoned;
  private final BlockingQueue<Ask> asks;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile boolean closed;

  private sealed interface Ask {
    record All() implements Ask {}

    record One(UUID run) implements Ask {}

    record Close() implements Ask {}
  }

  Heartbeat(EngineContext context, Map<UUID, Dispatcher.Held> held, Map<UUID, Long> abandoned) {
    this.context = context;
    this.held = held;
    this.abandoned = abandoned;
    this.asks = context.threads().mailbox();
    this.thread = context.threads().attend("heartbeat", this::run);
    beat();
    watch();
  }

  /** A signal arrived for that run: reads it at once. */
  void ask(UUID run) {
    asks.add(new Ask.One(run));
  }

  /** From now on runs are given back claimable at once. */
  void stopping() {
    stopping = true;
  }

  void close() {
    closed = true;
    asks.add(new Ask.Close());
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void beat() {
    Duration pause = context.settings().lease().dividedBy(BEATS_PER_LEASE);
    context
        .alarms()
        .at(
            context.clock().instant().plus(pause),
            () -> {
              if (!closed) {
                beat();
                asks.add(new Ask.All());
              }
            });
  }

  /**
   * Compares leases with the clock alone, because the database may be unreachable for longer than a
   * lease. Interrupts steps a third of the lease before it ends, and once more when half of that is
   * left, so that they have stopped when another replica repeats them.
   */
  private void watch() {
    Duration margin = context.settings().lease().dividedBy(3);
    Duration pause = margin.dividedBy(4);
    context
        .alarms()
        .at(
            context.clock().instant().plus(pause),
            () -> {
              if (!closed) {
                Instant now = context.clock().instant();
                held.values().forEach(h -> watch(h, margin, now));
                watch();
              }
            });
  }

  private void watch(Dispatcher.Held mine, Duration margin, Instant now) {
    mine.worker().leasedAtMost(now.plus(context.settings().lease()));
    Duration left = Duration.between(now, mine.worker().leaseUntil());
    if (left.compareTo(margin) > 0) {
      return;
    }
    if (!mine.worker().lost()) {
      LOG.warn(
          "the lease of run {} ends and could not be prolonged: stopping its steps",
          mine.run().id());
      context.metrics().leasesLost(1);
      mine.worker().lose();
    } else if (left.compareTo(margin.dividedBy(2)) <= 0) {
      mine.worker().hurry();
    }
  }

  private void run() {
    while (!closed) {
      try {
        Ask first = asks.take();
        boolean all = first instanceof Ask.All;
        Map<UUID, Long> wanted = new HashMap<>();
        for (Ask ask = first; ask != null; ask = asks.poll()) {
          all |= ask instanceof Ask.All;
          if (ask instanceof Ask.One one && held.get(one.run()) instanceof Dispatcher.Held mine) {
            wanted.put(one.run(), mine.run().epoch());
          }
        }
        if (all) {
          wanted.putAll(old());
        }
        prolong(wanted);
        if (all) {
          giveBackAbandoned();
          disownUnknown();
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("cannot prolong leases, trying again: {}", e.getMessage());
      }
    }
  }

  /** A run claimed just now needs no heartbeat yet, and most runs end before they need one. */
  private Map<UUID, Long> old() {
    Duration lease = context.settings().lease();
    Instant soon =
        context.clock().instant().plus(lease).minus(lease.dividedBy(2 * BEATS_PER_LEASE));
    Map<UUID, Long> epochs = new HashMap<>();
    held.forEach(
        (id, mine) -> {
          if (mine.worker().leaseUntil().isBefore(soon)) {
            epochs.put(id, mine.run().epoch());
          }
        });
    return epochs;
  }

  private void prolong(Map<UUID, Long> epochs) {
    if (epochs.isEmpty()) {
      return;
    }
    Instant until = context.clock().instant().plus(context.settings().lease());
    Map<UUID, RunStore.Held> answer =
        context.store().heartbeat(context.settings().owner(), epochs, until);
    int lost = 0;
    Set<UUID> busy = new HashSet<>();
    for (UUID id : epochs.keySet()) {
      Dispatcher.Held mine = held.get(id);
      if (mine == null || mine.run().epoch() != epochs.get(id)) {
        continue;
      }
      RunStore.Held still = answer.get(id);
      if (still != null) {
        switch (still.lease()) {
          case PROLONGED -> mine.worker().leased(until);
          case AS_BEFORE -> busy.add(id);
        }
        mine.worker().held(still);
      } else if (!mine.worker().leaving() && !mine.worker().lost()) {
        mine.worker().lose();
        lost++;
      }
    }
    if (lost > 0) {
      LOG.warn("{} runs were taken over by another owner", lost);
      context.metrics().leasesLost(lost);
    }
    if (!busy.isEmpty()) {
      askSoon(busy);
    }
  }

  /**
   * Another transaction holds the rows of these runs. It may be frozen and be ended by the database
   * only shortly before the leases end, so waiting for the next heartbeat could be too late.
   */
  private void askSoon(Set<UUID> busy) {
    Duration soon = context.settings().lease().dividedBy(SOON);
    context.alarms().at(context.clock().instant().plus(soon), () -> busy.forEach(this::ask));
  }

  /** Gives back runs that this replica owns in the database but does not hold in memory. */
  private void disownUnknown() {
    Set<UUID> known = Set.copyOf(held.keySet());
    int unknown =
        context.store().disown(context.settings().owner(), known, context.clock().instant());
    if (unknown > 0) {
      LOG.warn("the replies to claims of {} runs were lost; giving the runs back", unknown);
    }
  }

  void giveBackAbandoned() {
    Map<UUID, Long> epochs = new HashMap<>(abandoned);
    if (epochs.isEmpty()) {
      return;
    }
    Duration pause = stopping ? Duration.ZERO : RETRY_ABANDONED;
    Instant again = context.clock().instant().plus(pause);
    epochs.keySet().removeAll(context.store().abandon(context.settings().owner(), epochs, again));
    epochs.forEach(abandoned::remove);
  }
}
