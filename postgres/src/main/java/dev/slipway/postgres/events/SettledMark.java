package dev.slipway.postgres.events;

import dev.slipway.postgres.DatabaseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The id up to which all events are settled: every transaction that drew one of these ids has
 * ended, and the events of those that committed are visible to any statement that begins now.
 *
 * <p>A transaction that inserts events holds ROW EXCLUSIVE on their table from before it draws its
 * first id until after its commit has become visible. So an id is settled
 *
 * <ul>
 *   <li>at once, when it and all ids between it and the mark are visible;
 *   <li>otherwise when each transaction that held that lock after the id had been drawn has let go
 *       of it. The sequence is read first and the lock table second, so no transaction that owns an
 *       id up to the one read is missing from the second answer.
 * </ul>
 *
 * <p>Transactions that do not write events are not waited for, however old they are. The rule does
 * not look at snapshots: a snapshot's xmax is one above the newest transaction that has
 * <em>ended</em>, so a running transaction above it would be overlooked.
 */
final class SettledMark {
  /** The first look of a replica gives up after that time. */
  private static final Duration LONGEST_START = Duration.ofSeconds(20);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  /** How many ids one look compares with the mark; more than that are left to the lock table. */
  private static final int COMPARED = 5_000;

  private static final String LAST_DRAWN =
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM events_id_seq";

  private static final String VISIBLE =
      "SELECT id FROM events WHERE id > :mark AND id <= :drawn ORDER BY id LIMIT :limit";

  private static final long UNKNOWN = -1;

  private final Jdbi jdbi;
  private final EventWriters writers;
  private final AtomicLong begun = new AtomicLong();
  private volatile long mark = UNKNOWN;
  private volatile long drawn;
  private @Nullable Gap gap;

  /** Ids up to {@code drawn} are settled when these transactions have ended. */
  private record Gap(long drawn, EventWriters.Open open) {}

  SettledMark(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.writers = new EventWriters();
  }

  /** Looks, or takes the result of a look that began after this call. */
  long settled() {
    long before = begun.get();
    synchronized (this) {
      if (begun.get() == before) {
        begun.incrementAndGet();
        look();
      }
      return mark;
    }
  }

  /** The last id of the sequence at the last look. */
  long drawn() {
    return drawn;
  }

  /** Whether ids above the mark had been drawn at the last look. */
  boolean awaitsWriters() {
    return drawn > mark;
  }

  /** Readers wait for the first mark of a replica: there is no lower one to start from. */
  private void look() {
    jdbi.useHandle(this::look);
    long giveUp = System.nanoTime() + LONGEST_START.toNanos();
    while (mark == UNKNOWN) {
      if (System.nanoTime() - giveUp > 0) {
        throw new DatabaseException(
            "events cannot be read yet: "
                + "a transaction that writes to the table events has not ended for %d s. End it (pg_locks names its session) or wait for it."
                    .formatted(LONGEST_START.toSeconds()),
            null);
      }
      pause();
      jdbi.useHandle(this::look);
    }
  }

  private void look(Handle handle) {
    long last = handle.createQuery(LAST_DRAWN).mapTo(Long.class).one();
    drawn = last;
    if (last < mark) { // restored from a backup, or failed over to a standby that lacked the rest
      mark = UNKNOWN;
      gap = null;
    }
    if (mark != UNKNOWN && mark < last) {
      overVisible(handle, last);
    }
    if (mark < last) {
      overGaps(handle, last);
    }
  }

  private void overVisible(Handle handle, long last) {
    List<Long> ids =
        handle
            .createQuery(VISIBLE)
            .bind("mark", mark)
            .bind("drawn", last)
            .bind("limit", COMPARED)
            .mapTo(Long.class)
            .list();
    long reached = mark;
    for (long id : ids) {
      if (id != reached + 1) {
        break;
      }
      reached = id;
    }
    mark = reached;
  }

  private void overGaps(Handle handle, long last) {
    EventWriters.Open now = writers.open(handle);
    if (gap != null && gap.open().endedBy(now)) {
      mark = Math.max(mark, gap.drawn());
      gap = null;
    }
    if (gap == null && mark < last) {
      if (now.none()) {
        mark = last;
      } else {
        gap = new Gap(last, now);
      }
    }
    if (gap != null) {
      writers.endSilent(handle, gap.open());
    }
  }

  private static void pause() {
    try {
      Thread.sleep(BETWEEN_LOOKS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("interrupted while it waited for writers of events", e);
    }
  }
}
