package dev.slipway.postgres;

import dev.slipway.engine.threads.Threads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's time, so that replicas agree on it. Asked for now and then and carried on by the
 * machine's monotonic timer between, so that neither a jumping wall clock nor a database that is
 * away disturbs it. An answer counts for no more than it says: the time is not before it and not
 * later than it by more than the question took, so one that was long on its way moves nothing that
 * was right. Never goes backwards.
 */
public final class DatabaseClock implements InstantSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseClock.class);

  /**
   * The timer stands still while a machine is suspended: until it has asked, it believes in leases
   * that have ended.
   */
  private static final Duration EVERY = Duration.ofSeconds(3);

  private static final Duration WORTH_TELLING = Duration.ofSeconds(2);

  /** A first answer this quick is exact enough; otherwise the quickest of some. */
  private static final Duration QUICK = Duration.ofMillis(20);

  private static final int FIRST_QUESTIONS = 5;

  /** An answer, and when by the timer it was asked for and came. */
  private record Answer(Instant at, long asked, long came) {
    Duration took() {
      return Duration.ofNanos(came - asked);
    }
  }

  /** The time at a moment of the timer. */
  private record Measured(Instant at, long nanoTime) {
    static Measured of(Answer answer) {
      return new Measured(answer.at(), answer.asked() + (answer.came() - answer.asked()) / 2);
    }

    Instant carriedTo(long nanoTime) {
      return at.plusNanos(nanoTime - this.nanoTime);
    }

    /** As far as the answer leaves it: this one, or the nearest time that agrees with it. */
    Measured corrected(Answer answer) {
      Instant believed = carriedTo(answer.came());
      Instant earliest = answer.at();
      Instant latest = answer.at().plus(answer.took());
      return believed.isBefore(earliest)
          ? new Measured(earliest, answer.came())
          : believed.isAfter(latest) ? new Measured(latest, answer.came()) : this;
    }
  }

  private final Jdbi jdbi;
  private final AtomicReference<Measured> measured;
  private final AtomicReference<Instant> latest;
  private final Duration every;
  private final Thread thread;

  /** Measures at once; the database must be reachable. */
  public DatabaseClock(Database database, Threads threads) {
    this(database, EVERY, threads);
  }

  /** Measures that often. */
  DatabaseClock(Database database, Duration every, Threads threads) {
    this.jdbi = database.jdbi();
    this.every = every;
    Measured first = Measured.of(quickest());
    this.measured = new AtomicReference<>(first);
    this.latest = new AtomicReference<>(first.at());
    this.thread = threads.attend("database-clock", this::follow);
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

  private Answer quickest() {
    Answer best = ask();
    for (int i = 1; i < FIRST_QUESTIONS && best.took().compareTo(QUICK) > 0; i++) {
      Answer next = ask();
      best = next.took().compareTo(best.took()) < 0 ? next : best;
    }
    return best;
  }

  /** Waiting for a connection does not count. */
  private Answer ask() {
    return jdbi.withHandle(
        h -> {
          long asked = System.nanoTime();
          Instant at =
              h.createQuery("SELECT clock_timestamp()")
                  .map((rs, context) -> rs.getObject(1, OffsetDateTime.class).toInstant())
                  .one();
          return new Answer(at, asked, System.nanoTime());
        });
  }

  private void follow() {
    while (true) {
      try {
        Thread.sleep(every);
        Measured believed = measured.get();
        Measured fresh = believed.corrected(ask());
        Duration off = Duration.between(believed.carriedTo(fresh.nanoTime()), fresh.at()).abs();
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
