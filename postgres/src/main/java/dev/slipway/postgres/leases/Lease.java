package dev.slipway.postgres.leases;

import dev.slipway.postgres.Races;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The exclusive right of this replica to one task. It is renewed while the process runs and reaches
 * the database, and expires otherwise; a replica that was frozen may still hold this object long
 * after another one has taken over.
 */
public final class Lease {
  /**
   * The largest difference between the replica's copy of the database's clock and the clock itself.
   */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private final Leases leases;
  private final String name;
  private final long epoch;
  private volatile Instant until;

  Lease(Leases leases, LeaseRows.Taken taken, Instant until) {
    this.leases = leases;
    this.name = taken.name();
    this.epoch = taken.epoch();
    this.until = until;
  }

  /** Work in a transaction of this database only: it may be repeated after a deadlock. */
  public interface Work<T> {
    T in(Handle tx);
  }

  /** The name of the lease. */
  public String name() {
    return name;
  }

  /** The fencing token: greater than that of every earlier owner. */
  public long epoch() {
    return epoch;
  }

  /**
   * Whether the lease lasts at least that long by the database's clock, without a query. Check
   * right before an effect on another system that takes at most that long.
   */
  public boolean lasts(Duration least) {
    return leases.now().plus(least).plus(MARGIN).isBefore(until);
  }

  /**
   * Executes the work in a transaction during which this replica is the owner from the first
   * statement to the commit.
   *
   * @throws LeaseLostException when another owner has taken over; nothing is written then
   */
  public <T> T write(Work<T> work) {
    return Races.again(
        () ->
            leases
                .database()
                .jdbi()
                .inTransaction(
                    tx -> {
                      if (!LeaseRows.lockAsOwner(tx, leases.owner(), this)) {
                        throw new LeaseLostException(name, epoch);
                      }
                      return work.in(tx);
                    }));
  }

  /** Releases it, so that another replica can take it at once. */
  public void release() {
    leases.release(List.of(this));
  }

  void renewed(Instant end) {
    until = end;
  }

  void lost() {
    until = Instant.MIN;
  }
}
