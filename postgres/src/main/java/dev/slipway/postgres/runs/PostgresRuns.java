package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.EarlyClaims;
import dev.slipway.engine.execute.LinkedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;

/** Runs in PostgreSQL. */
public final class PostgresRuns implements RunStore, AutoCloseable {
  /**
   * Those that need not wait their turn are few, and finding them takes reading more than is due
   * first: not for every run that ends.
   */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Jdbi jdbi;
  private final SecretBox box;
  private final Notifications notifications;
  private final GroupCommit writer;
  private final LeaseConnection connection;
  private Instant lastLook = Instant.MIN;

  /** Starts the writer of this replica on a thread of the machine. */
  public PostgresRuns(Database database, Notifications notifications, SecretBox box) {
    this(database, notifications, box, Threads.OF_MACHINE);
  }

  /** Starts the writer of this replica on one of these threads. */
  public PostgresRuns(
      Database database, Notifications notifications, SecretBox box, Threads threads) {
    this.jdbi = database.jdbi();
    this.box = box;
    this.notifications = notifications;
    this.writer = new GroupCommit(database.address(), notifications, box, threads);
    this.connection = new LeaseConnection(database.address());
  }

  /** From now on transactions of this database may claim the runs that they make. */
  public void claimEarly(EarlyClaims claims) {
    jdbi.getConfig(LocalClaims.class).use(claims);
  }

  @Override
  public void insert(Collection<NewRun> runs) {
    jdbi.useTransaction(h -> EventLog.append(h, RunInsert.insert(h, box, List.copyOf(runs))));
  }

  @Override
  public List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease, Bounds bounds) {
    Claims.Look look = look(now);
    return inTransaction(h -> Claims.claim(h, owner, max, now, lease, bounds, look));
  }

  private synchronized Claims.Look look(Instant now) {
    if (!now.isBefore(lastLook) && now.isBefore(lastLook.plus(BETWEEN_LOOKS))) {
      return Claims.Look.QUICK;
    }
    lastLook = now;
    return Claims.Look.THOROUGH;
  }

  private synchronized void lookSoon() {
    lastLook = Instant.MIN;
  }

  /**
   * The time has gone back. Timers that were set by times of the leap are due that much earlier,
   * and leases of replicas that no longer prolong them end after two leases.
   */
  public void clockReturned(DatabaseClock.Return leap, Instant now, Duration lease) {
    jdbi.useTransaction(
        h -> {
          LateDeadlines.mend(h, leap, now);
          ReturnedClock.follow(h, leap, now, lease);
        });
    notifications.raise(Topic.RUNS, "");
  }

  @Override
  public DefinitionSnapshot definition(String hash) {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT body FROM definitions WHERE hash = :hash")
                .bind("hash", hash)
                .map((rs, _) -> Trees.definition(rs.getString(1)))
                .findOne()
                .orElseThrow(
                    () -> new IllegalStateException("no stored definition has hash " + hash)));
  }

  @Override
  public Map<UUID, Held> heartbeat(Owner owner, Map<UUID, Long> epochs, Instant leaseUntil) {
    return connection.prolong(owner, epochs, leaseUntil);
  }

  @Override
  public Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    Set<UUID> left = connection.abandon(owner, epochs, claimableAt);
    notifications.raise(Topic.RUNS, "");
    return left;
  }

  @Override
  public int disown(Owner owner, Set<UUID> held, Instant now) {
    int unknown = connection.disown(owner, held, now);
    if (unknown > 0) {
      notifications.raise(Topic.RUNS, "");
    }
    return unknown;
  }

  @Override
  public int release(Owner successor, Instant now) {
    return jdbi.withHandle(h -> RunLeases.release(h, successor, now));
  }

  @Override
  public CompletableFuture<Outcome> write(RunWrite write) {
    return writer.submit(write);
  }

  @Override
  public Optional<Instant> nextDue(Owner owner) {
    return jdbi.withHandle(h -> Claims.nextDue(h, owner));
  }

  @Override
  public int others() {
    return notifications.others();
  }

  @Override
  public List<LinkedRun> madeBy(UUID run) {
    return jdbi.withHandle(h -> LinkedRuns.madeBy(h, run));
  }

  @Override
  public void signal(UUID run, Instant now) {
    jdbi.useTransaction(h -> signal(h, run, now));
  }

  /** The same inside the transaction that gives the run a reason to look. */
  public static void signal(Handle tx, UUID run, Instant now) {
    try {
      RunLeases.wake(tx, new RunWakes.Call(run, now, Optional.empty()));
    } catch (SQLException e) {
      throw new DatabaseException("run " + run + " cannot be woken: " + e.getMessage(), e);
    }
  }

  @Override
  public CancelAnswer cancel(UUID run, Cancel how, Instant now) {
    return inTransaction(
        h -> {
          CancelAnswer answer = RunLeases.cancel(h, run, how, now);
          if (answer == CancelAnswer.ASKED) {
            // The transaction may be part of a request's: the dispatcher looks when it has ended.
            h.afterCommit(() -> wake(run));
          }
          return answer;
        });
  }

  private void wake(UUID run) {
    lookSoon();
    notifications.raise(Topic.RUNS, run.toString());
  }

  @Override
  public void close() {
    writer.close();
    connection.close();
  }

  private <T> T inTransaction(HandleCallback<T, SQLException> work) {
    try {
      return jdbi.inTransaction(work);
    } catch (SQLException e) {
      throw new DatabaseException("the database refuses: " + e.getMessage(), e);
    }
  }
}
