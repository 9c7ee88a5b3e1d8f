package dev.slipway.postgres.reconcile;

import dev.slipway.postgres.Faults;
import dev.slipway.postgres.Races;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes turns of keys, each in a transaction of its own. */
record Turns(Jdbi jdbi, InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
  private static final int LONGEST_ERROR = 500;
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** The result of a turn. */
  enum Outcome {
    DONE,
    /** Another replica took it meanwhile, or its turns fail and it has to wait. */
    NOTHING_DUE,
    /** Another transaction has the key. */
    LOCKED,
    /** Another transaction has a row that the turn needs; the worker has waited for it. */
    ROW_LOCKED,
    /** Rolled back; the key waits for its next turn. */
    FAILED,
    /** Rolled back; nothing could be written. */
    DATABASE_AWAY
  }

  private record Signal(@Nullable String item, @Nullable UUID run) {}

  /** One turn. An Error other than a stack that is too small is a defect of the replica. */
  Outcome take(Reconciler reconciler, String key) {
    try {
      return Races.again(() -> jdbi.inTransaction(tx -> turn(tx, reconciler, key)));
    } catch (Exception | StackOverflowError e) {
      Optional<SQLException> fault = fault(e);
      if (fault.filter(f -> LOCK_NOT_AVAILABLE.equals(f.getSQLState())).isPresent()) {
        return Outcome.ROW_LOCKED;
      }
      LOG.error("{} {} cannot be reconciled, trying again later", reconciler.kind(), key, e);
      return fault.filter(Faults::connectionLost).isPresent()
          ? Outcome.DATABASE_AWAY
          : failed(reconciler, key, e);
    }
  }

  private Outcome turn(Handle tx, Reconciler reconciler, String key) throws SQLException {
    String kind = reconciler.kind();
    if (!KeyLock.tryTake(tx, kind, key, LONGEST_WAIT)) {
      return Outcome.LOCKED;
    }
    Instant now = clock.instant();
    Optional<Timer> timer = Timer.find(tx, kind, key);
    if (timer.isPresent() && timer.get().backsOff(now)) {
      return Outcome.NOTHING_DUE;
    }
    List<Signal> signals = taken(tx, kind, key);
    boolean due = timer.isPresent() && timer.get().due(now);
    if (signals.isEmpty() && !due) {
      return Outcome.NOTHING_DUE;
    }
    Wake wake = wake(signals, due);
    Optional<Timer> after = Timer.after(timer, wake, reconciler.reconcile(tx, key, wake));
    if (!after.equals(timer)) {
      Timer.write(tx, kind, key, after);
    }
    return Outcome.DONE;
  }

  /** Only the signals that are visible now: a transaction that commits later leaves its own. */
  private static List<Signal> taken(Handle tx, String kind, String key) {
    return tx.createQuery(
            "DELETE FROM signals WHERE kind = :kind AND key = :key RETURNING item, run")
        .bind("kind", kind)
        .bind("key", key)
        .map((rs, _) -> new Signal(rs.getString(1), rs.getObject(2, UUID.class)))
        .list();
  }

  private static Wake wake(List<Signal> signals, boolean due) {
    Set<UUID> runs =
        signals.stream()
            .map(Signal::run)
            .filter(Objects::nonNull)
            .collect(Collectors.toUnmodifiableSet());
    Set<String> items = new HashSet<>();
    boolean everything = due;
    for (Signal signal : signals) {
      if (signal.item() == null) {
        everything = true;
      } else {
        items.add(signal.item());
      }
    }
    return everything ? new Wake.Everything(runs) : new Wake.Items(items, runs);
  }

  /** Its signals are still there; it waits longer after each failure, and no other key does. */
  private Outcome failed(Reconciler reconciler, String key, Throwable why) {
    String kind = reconciler.kind();
    try {
      return jdbi.inTransaction(
          tx -> {
            if (!KeyLock.tryTake(tx, kind, key, LONGEST_WAIT)) {
              return Outcome.LOCKED;
            }
            int failures = Timer.find(tx, kind, key).map(Timer::failures).orElse(0) + 1;
            Timer next = new Timer(clock.instant().plus(Backoff.after(failures)), failures);
            Timer.failed(tx, kind, key, next, text(why));
            return Outcome.FAILED;
          });
    } catch (RuntimeException e) {
      LOG.warn("cannot note that {} {} failed: {}", kind, key, e.toString());
      return Outcome.DATABASE_AWAY;
    }
  }

  /** The first line: the lines after it may contain values of rows. */
  private static String text(Throwable why) {
    Throwable cause = why;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String line = cause.toString().lines().findFirst().orElse("");
    return line.length() > LONGEST_ERROR ? line.substring(0, LONGEST_ERROR) : line;
  }

  private static Optional<SQLException> fault(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException fault) {
        return Optional.of(fault);
      }
    }
    return Optional.empty();
  }
}
