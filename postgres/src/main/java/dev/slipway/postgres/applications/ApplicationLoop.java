package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves applications on whenever something has changed for them: woken by signals, and by itself
 * now and then, so that a lost signal costs time but never work. Also where environments expire.
 */
public final class ApplicationLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationLoop.class);
  private static final int BATCH = 100;
  private static final int AT_ONCE = 4;
  private static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("application-", 0).factory();

  private final Ground ground;
  private final RunStore runs;
  private final Duration pollInterval;
  private final Threads threads;
  private final PlanGate gate;
  private final Expiry expiry;
  private final Semaphore signal = new Semaphore(0);
  private final Resting resting = new Resting();
  private volatile boolean closed;
  private Thread thread;

  /** Works when told to, or all by itself after {@link #start()}. */
  public ApplicationLoop(Ground ground, RunStore runs, Duration pollInterval, Threads threads) {
    this.ground = ground;
    this.runs = runs;
    this.pollInterval = pollInterval;
    this.threads = threads;
    Deploying deploying = new Deploying(ground, runs);
    this.gate = new PlanGate(ground, deploying);
    this.expiry = new Expiry(ground, new ApplicationStore(ground, runs));
  }

  /** Begins. */
  public ApplicationLoop start() {
    ground.notifications().subscribe(Topic.APPLICATIONS, payload -> signal.release());
    thread = threads.attend("applications", this::work);
    return this;
  }

  @Override
  public void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Wakes every application with something that is not as it should be: after a reload. */
  public void wakeAll() {
    ground.transaction(
        h ->
            h.execute(
                """
                INSERT INTO wakeups (application_id, at)
                SELECT DISTINCT owner_id, ?::timestamptz FROM resources
                 WHERE state NOT IN ('active', 'deleted')
                """,
                ground.now().toString()));
  }

  /** Announces and ends what has had its time. */
  public void enforceExpiry() {
    expiry.enforce();
  }

  private void work() {
    while (!closed) {
      try {
        enforceExpiry();
        while (advance(due(resting.now())) > 0) {
          signal.drainPermits();
        }
        signal.tryAcquire(pause().toMillis(), TimeUnit.MILLISECONDS);
        signal.drainPermits();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("applications cannot be moved on now, trying again: {}", e.toString());
        rest();
      }
    }
  }

  private void rest() {
    try {
      signal.tryAcquire(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  private Duration pause() {
    Optional<Instant> next =
        ground.read(
            h ->
                h.createQuery("SELECT min(at) AS at FROM wakeups")
                    .map((rs, context) -> Optional.ofNullable(Columns.timeOrNull(rs, "at")))
                    .one());
    Duration until = next.map(at -> Duration.between(ground.now(), at)).orElse(pollInterval);
    return until.compareTo(pollInterval) > 0
        ? pollInterval
        : until.isNegative() ? Duration.ofMillis(50) : until.plusMillis(1);
  }

  /** Moves on everything that is due; answers how many applications that were. */
  public int advanceDue() {
    return advance(due(Set.of()));
  }

  private List<UUID> due(Set<UUID> later) {
    return ground.read(
        h ->
            h.createQuery(
                    "SELECT application_id FROM wakeups WHERE at <= :now"
                        + " AND NOT application_id = ANY (:later)"
                        + " GROUP BY application_id ORDER BY min(id) LIMIT :max")
                .bind("now", ground.now())
                .bind("later", later.toArray(UUID[]::new))
                .bind("max", BATCH)
                .mapTo(UUID.class)
                .list());
  }

  private int advance(List<UUID> due) {
    if (due.isEmpty()) {
      return 0;
    }
    AtomicInteger moved = new AtomicInteger();
    AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    // Working out the next moves is work for processors: on virtual threads nobody would get one.
    try (ExecutorService side = Executors.newFixedThreadPool(AT_ONCE, THREADS)) {
      for (UUID application : due) {
        side.execute(
            () -> {
              try {
                advance(application, moved);
              } catch (Throwable t) {
                broken.compareAndSet(null, t);
              }
            });
      }
    }
    if (broken.get() != null) {
      // On the loop's own thread, which is supervised: there it ends the replica.
      throw new Error("applications cannot be moved on", broken.get());
    }
    return moved.get();
  }

  /** A stack that was too small is a matter of this application: the loop goes on with others. */
  private void advance(UUID application, AtomicInteger moved) {
    try {
      long began = System.nanoTime();
      moved.addAndGet(advance(application) ? 1 : 0);
      resting.after(application, Duration.ofNanos(System.nanoTime() - began));
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("application {} cannot be moved on, trying again later", application, e);
      putOff(application);
    }
  }

  /** So that one in trouble does not keep everybody busy. */
  private void putOff(UUID application) {
    try {
      ground.read(
          h ->
              h.execute(
                  "UPDATE wakeups SET at = ? WHERE application_id = ? AND at <= ?",
                  ground.now().plusSeconds(5),
                  application,
                  ground.now()));
    } catch (RuntimeException e) {
      LOG.warn("the database is away: {}", e.toString());
      rest();
    }
  }

  /** One application; false when somebody else is at it. */
  private boolean advance(UUID id) {
    List<UUID> cancels = new ArrayList<>();
    boolean moved =
        ground.transaction(
            h -> {
              cancels.clear();
              return advance(h, id, cancels);
            });
    Advance.stop(runs, ground, cancels);
    return moved;
  }

  private boolean advance(Handle handle, UUID id, List<UUID> cancels) throws java.sql.SQLException {
    Optional<ApplicationRow> application = ApplicationRow.tryLock(handle, id);
    if (application.isEmpty()) {
      boolean known =
          handle
                  .createQuery("SELECT count(*) FROM applications WHERE id = ?")
                  .bind(0, id)
                  .mapTo(Long.class)
                  .one()
              > 0;
      if (!known) {
        handle.execute("DELETE FROM wakeups WHERE application_id = ?", id);
      }
      return false;
    }
    // Only what is visible now is taken: whoever changes something later leaves a new note.
    handle.execute("DELETE FROM wakeups WHERE application_id = ? AND at <= ?", id, ground.now());
    List<Event> events = new ArrayList<>();
    cancels.addAll(gate.pass(handle, application.get(), events));
    ApplicationRow now = ApplicationRow.lock(handle, id).orElseThrow();
    EnvironmentRow environment = EnvironmentRow.find(handle, now.environment()).orElseThrow();
    Advance.Result result = new Advance(ground).in(handle, now, environment);
    cancels.addAll(result.cancels());
    events.addAll(result.events());
    EventLog.append(handle, events);
    return true;
  }
}
