package dev.slipway.postgres;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's time, so that replicas agree on it. Measured now and then and carried on by the
 * machine's monotonic timer between, so that neither a jumping wall clock nor a database that is
 * away disturbs it. Never goes backwards.
 */
public final class DatabaseClock implements InstantSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseClock.class);

  /**
   * The timer stands still while a machine is suspended: until it has asked, it believes in leases
   * that have ended.
   */
  private static final Duration EVERY = Duration.ofSeconds(3);

  private static final Duration WORTH_TELLING = Duration.ofSeconds(2);

  private record Measured(Instant at, long nanoTime) {
    Instant carriedTo(long nanoTime) {
      return at.plusNanos(nanoTime - this.nanoTime);
    }
  }

  private final Jdbi jdbi;
  private final AtomicReference<Measured> measured;
  private final AtomicReference<Instant> latest;
  private final Duration every;
  private final Thread thread;

  /** Measures at once; the database must be reachable. */
  public DatabaseClock(Database database) {
    this(database, EVERY);
  }

  /** Measures that often. */
  DatabaseClock(Database database, Duration every) {
    this.jdbi = database.jdbi();
    this.every = every;
    Measured first = measure();
    this.measured = new AtomicReference<>(first);
    this.latest = new AtomicReference<>(first.at());
    this.thread = Thread.ofVirtual().name("database-clock").start(this::follow);
  }

  @Override
  public Instant instant() {
    Instant now = measured.get().carriedTo(System.nanoTime());
    // To the microsecond, as the database keeps it: what is stored reads back equal.
    Instant kept = now.minusNanos(now.getNano() % 1000);
    return latest.accumulateAndGet(kept, (a, b) -> a.isAfter(b) ? a : b);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private Measured measure() {
    long before = System.nanoTime();
    Instant at =
        jdbi.withHandle(
            h ->
                h.createQuery("SELECT clock_timestamp()")
                    .map((rs, context) -> rs.getObject(1, OffsetDateTime.class).toInstant())
                    .one());
    long after = System.nanoTime();
    return new Measured(at, before + (after - before) / 2);
  }

  private void follow() {
    while (true) {
      try {
        Thread.sleep(every);
        Measured fresh = measure();
        Duration off =
            Duration.between(measured.get().carriedTo(fresh.nanoTime()), fresh.at()).abs();
        if (off.compareTo(WORTH_TELLING) > 0) {
          LOG.warn("the database's clock moved by {} ms; following it", off.toMillis());
        }
        measured.set(fresh);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.debug("the database's time cannot be asked now", e);
      }
    }
  }
}
