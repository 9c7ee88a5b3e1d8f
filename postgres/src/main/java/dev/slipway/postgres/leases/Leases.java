package dev.slipway.postgres.leases;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.OwnSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of one replica. One statement renews all of them; while the database is unreachable
 * they count until they expire by its clock. Closing releases them.
 */
public final class Leases implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Parts parts;
  private final Terms terms;
  private final OwnSession session;
  private final Semaphore look;
  private final Map<String, Lease> tracked = new HashMap<>();
  private final List<Shards> groups = new ArrayList<>();
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * Collaborators.
   *
   * @param clock the database's
   * @param owner this process only, not an earlier one of the same name
   */
  public record Parts(Database database, InstantSource clock, String owner, Threads threads) {}

  /** The length of a lease and the interval of renewals. */
  public record Terms(Duration length, Duration renewal) {
    /** A dead replica is replaced after 18 s at most; check {@code lasts(5s)} before effects. */
    public static final Terms DEFAULT = new Terms(Duration.ofSeconds(15), Duration.ofSeconds(3));
  }

  /** Renews when {@link #pass()} is called, or periodically after {@link #start()}. */
  public Leases(Parts parts, Terms terms) {
    this.parts = parts;
    this.terms = terms;
    this.session = new OwnSession(parts.database().address(), "slipway leases", "");
    this.look = parts.threads().permits(0);
  }

  /** Starts the periodic renewal. */
  public synchronized Leases start() {
    thread = parts.threads().attend("leases", this::renewals);
    return this;
  }

  /**
   * Takes the lease when it is free; empty while another replica has it. Returns a lease again that
   * this replica already holds.
   */
  public synchronized Optional<Lease> hold(String name) {
    if (name.isBlank() || Shards.reserves(name)) {
      throw new IllegalArgumentException("'" + name + "' is no name for a lease");
    }
    return Optional.ofNullable(tracked.get(name))
        .filter(lease -> lease.lasts(Duration.ZERO))
        .or(() -> take(List.of(name), 1).stream().findFirst())
        .or(() -> takeNew(name));
  }

  private Optional<Lease> takeNew(String name) {
    session.ask(
        h -> {
          LeaseRows.make(h, List.of(name), now());
          return true;
        });
    return take(List.of(name), 1).stream().findFirst();
  }

  /**
   * Shares the shards of a group evenly with all replicas of the same group, and tells the listener
   * which ones this replica holds. All replicas must use the same number of shards: one with
   * another number gets none until the others have stopped.
   */
  public synchronized Shards shards(String group, int count, ShardListener listener) {
    Shards shards = new Shards(this, new Shards.Group(group, count), listener);
    groups.add(shards);
    look.release();
    return shards;
  }

  /** Renews all leases and rebalances the shards. */
  synchronized void pass() {
    if (closed || tracked.isEmpty() && groups.isEmpty()) {
      return;
    }
    try {
      renew();
      groups.forEach(Shards::spread);
    } finally {
      groups.forEach(Shards::tell);
    }
  }

  private void renew() {
    Instant until = now().plus(terms.length());
    Map<String, Long> renewed = session.ask(h -> LeaseRows.renew(h, parts.owner(), until));
    tracked.values().removeIf(lease -> !stillHeld(lease, renewed, until));
    Set<String> unknown = new HashSet<>(renewed.keySet());
    unknown.removeAll(tracked.keySet());
    if (!unknown.isEmpty()) { // taken by a statement whose reply was lost
      free(unknown);
    }
  }

  private static boolean stillHeld(Lease lease, Map<String, Long> renewed, Instant until) {
    Long epoch = renewed.get(lease.name());
    if (epoch != null && epoch == lease.epoch()) {
      lease.renewed(until);
      return true;
    }
    LOG.warn("lease '{}' was lost: another replica has taken it over", lease.name());
    lease.lost();
    return false;
  }

  /** Takes at most that many free ones of the names. */
  synchronized List<Lease> take(List<String> names, int most) {
    Instant now = now();
    LeaseRows.Term term = new LeaseRows.Term(now, now.plus(terms.length()));
    List<LeaseRows.Taken> taken =
        session.ask(h -> LeaseRows.take(h, parts.owner(), names, most, term));
    List<Lease> fresh = taken.stream().map(t -> new Lease(this, t, term.until())).toList();
    fresh.forEach(lease -> tracked.put(lease.name(), lease));
    return fresh;
  }

  /** Releases those that this replica still holds. */
  synchronized void release(List<Lease> some) {
    Set<String> names = new HashSet<>();
    for (Lease lease : some) {
      if (tracked.remove(lease.name(), lease)) {
        lease.lost();
        names.add(lease.name());
      }
    }
    if (!names.isEmpty()) {
      free(names);
    }
  }

  private void free(Set<String> names) {
    session.ask(
        h -> {
          LeaseRows.release(h, parts.owner(), names, now());
          return true;
        });
  }

  synchronized boolean tracks(Lease lease) {
    return tracked.get(lease.name()) == lease;
  }

  Instant now() {
    return parts.clock().instant();
  }

  String owner() {
    return parts.owner();
  }

  Database database() {
    return parts.database();
  }

  Threads threads() {
    return parts.threads();
  }

  OwnSession session() {
    return session;
  }

  /** Starts the next pass now. */
  void wake() {
    look.release();
  }

  private void renewals() {
    while (!closed) {
      try {
        look.tryAcquire(terms.renewal().toMillis(), TimeUnit.MILLISECONDS);
        look.drainPermits();
        pass();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!closed) {
          LOG.warn("leases cannot be renewed now, trying again: {}", e.toString());
        }
      }
    }
  }

  /** Releases all leases except shards whose listener is still working: those expire. */
  @Override
  public void close() {
    Thread renewing;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      renewing = thread;
    }
    end(renewing);
    List<Shards> last;
    synchronized (this) {
      last = List.copyOf(groups);
    }
    Set<String> atWork = new HashSet<>();
    last.forEach(shards -> atWork.addAll(shards.end(PATIENCE)));
    synchronized (this) {
      Set<String> mine = new HashSet<>(tracked.keySet());
      mine.removeAll(atWork);
      tracked.values().forEach(Lease::lost);
      giveBack(mine);
      session.close();
    }
  }

  private void giveBack(Set<String> names) {
    if (names.isEmpty()) {
      return;
    }
    try {
      session.ask(h -> LeaseRows.leave(h, parts.owner(), Shards.MEMBER));
      free(names);
    } catch (RuntimeException e) {
      LOG.warn("leases could not be given back, they expire: {}", e.toString());
    }
  }

  private static void end(@Nullable Thread renewing) {
    if (renewing == null) {
      return;
    }
    renewing.interrupt();
    try {
      renewing.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
