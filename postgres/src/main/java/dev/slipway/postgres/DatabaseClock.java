package dev.slipway.postgres;

import dev.slipway.engine.threads.Threads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's time, which all replicas agree on. It is queried every few seconds and carried on
 * by the monotonic timer in between, so that neither a jump of the machine's clock nor a database
 * outage disturbs it. A reply bounds the time: not before the reply's time, and not later than it
 * by more than the round trip; a slow reply therefore changes nothing that is within its bounds.
 *
 * <p>A forward jump of the clock is followed at once: leases then end early, never late. A backward
 * jump is followed when a second reply confirms it, and listeners that wait for a time are called.
 * For a backward jump of less than two seconds this clock stops until the time is reached.
 */
public final class DatabaseClock implements InstantSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseClock.class);

  /**
   * The timer stops while a machine is suspended: until its next query, the replica takes ended
   * leases for valid.
   */
  private static final Duration EVERY = Duration.ofSeconds(3);

  private static final Duration WORTH_TELLING = Duration.ofSeconds(2);

  /** A first reply this quick is exact enough; otherwise the quickest of several counts. */
  private static final Duration QUICK = Duration.ofMillis(20);

  private static final int FIRST_QUESTIONS = 5;

  /** A reply, and the timer's values when it was requested and received. */
  record Answer(Instant at, long asked, long came) {
    Duration took() {
      return Duration.ofNanos(came - asked);
    }
  }

  /**
   * A leap ahead that was taken back.
   *
   * @param first the first time of the leap; what lies between it and {@code first + by} was most
   *     probably meant for a time that is earlier by {@code by}
   * @param transaction the oldest transaction that may have used times of the leap
   */
  public record Return(Instant first, Duration by, long transaction) {}

  /** The current measurement, and the latest time that was returned. */
  private record ClockState(MeasuredTime measured, Instant lastReturned) {}

  private final Jdbi jdbi;
  private final AtomicReference<ClockState> state;
  private final List<Consumer<Return>> listeners = new CopyOnWriteArrayList<>();
  private final Duration every;
  private final Thread thread;
  private Optional<Return> ahead = Optional.empty();
  private boolean saidBack;

  /** Measures at once; the database must be reachable. */
  public DatabaseClock(Database database, Threads threads) {
    this(database, EVERY, threads);
  }

  /** Measures that often. */
  DatabaseClock(Database database, Duration every, Threads threads) {
    this.jdbi = database.jdbi();
    this.every = every;
    MeasuredTime first = MeasuredTime.of(quickest());
    this.state = new AtomicReference<>(new ClockState(first, first.at()));
    this.thread = threads.attend("database-clock", this::follow);
  }

  /** Registers a listener that the clock's thread calls after the time has gone back. */
  public void onReturn(Consumer<Return> listener) {
    listeners.add(listener);
  }

  @Override
  public Instant instant() {
    while (true) {
      ClockState now = state();
      Instant carried = now.measured().carriedTo(System.nanoTime());
      // Microseconds, the precision of the database: a stored time reads back equal.
      Instant kept = carried.minusNanos(carried.getNano() % 1000);
      if (!kept.isAfter(now.lastReturned())) {
        return now.lastReturned();
      }
      if (state.compareAndSet(now, new ClockState(now.measured(), kept))) {
        return kept;
      }
    }
  }

  private ClockState state() {
    return Objects.requireNonNull(state.get(), "the constructor sets the first one");
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

  /** Excludes the wait for a connection from the round trip. */
  private Answer ask() {
    return jdbi.withHandle(
        h -> {
          long asked = System.nanoTime();
          Instant at =
              h.createQuery("SELECT clock_timestamp()")
                  .map((rs, _) -> rs.getObject(1, OffsetDateTime.class).toInstant())
                  .one();
          return new Answer(at, asked, System.nanoTime());
        });
  }

  private void follow() {
    while (true) {
      try {
        Thread.sleep(every);
        correct(ask());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.debug("the database's clock could not be read", e);
      }
    }
  }

  private void correct(Answer answer) {
    MeasuredTime believed = state().measured();
    MeasuredTime fresh = believed.corrected(answer);
    Duration off = Duration.between(believed.carriedTo(fresh.nanoTime()), fresh.at());
    if (off.negated().compareTo(WORTH_TELLING) > 0) {
      // One reply may come from a machine that is about to be replaced; two that agree count.
      if (saidBack) {
        stepBack(fresh, off.negated());
      }
      saidBack = !saidBack;
      return;
    }
    saidBack = false;
    if (off.compareTo(WORTH_TELLING) > 0) {
      LOG.warn("the database's clock moved ahead by {} ms; following it", off.toMillis());
      ahead = Optional.of(new Return(fresh.at(), off, oldestTransaction()));
    }
    state.updateAndGet(b -> new ClockState(fresh, b.lastReturned()));
  }

  private void stepBack(MeasuredTime fresh, Duration by) {
    LOG.warn("the database's clock moved back by {} ms; following it", by.toMillis());
    state.set(new ClockState(fresh, fresh.at()));
    Return leap =
        ahead
            .map(a -> new Return(a.first(), by, a.transaction()))
            .orElse(new Return(fresh.at().plus(by), by, oldestTransaction()));
    ahead = Optional.empty();
    listeners.forEach(listener -> listener.accept(leap));
  }

  private long oldestTransaction() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
                .mapTo(Long.class)
                .one());
  }
}
