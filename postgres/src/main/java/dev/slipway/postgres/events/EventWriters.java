package dev.slipway.postgres.events;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions that may have inserted events and have not ended, as PostgreSQL's lock table. */
final class EventWriters {
  private static final Logger LOG = LoggerFactory.getLogger(EventWriters.class);

  /** As long as the database lets a transaction be idle ({@code Database.OPTIONS}). */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(4);

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

  /** A lock that moves from a session's own slots to the shared table shows up twice, never not. */
  private static final String HOLDERS =
      """
      SELECT DISTINCT virtualtransaction FROM pg_locks
       WHERE locktype = 'relation' AND relation = 'events'::regclass
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND mode = 'RowExclusiveLock' AND granted
      """;

  /**
   * Sessions that hold the lock and wait for their client. A session that waits for anything else,
   * such as the disk or a synchronous standby, is committing and must not be disturbed.
   */
  private static final String SILENT =
      """
      SELECT a.pid, coalesce(a.application_name, '') AS session,
             a.usename = current_user AND a.application_name LIKE 'slipway%' AS ours
        FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'relation' AND l.relation = 'events'::regclass
         AND l.mode = 'RowExclusiveLock' AND l.granted
         AND l.virtualtransaction = ANY (:transactions) AND a.wait_event = 'ClientRead'
      """;

  private static final String PREPARED = "-1/";

  private long warned = System.nanoTime() - BETWEEN_WARNINGS.toNanos();

  /**
   * Virtual transaction ids, which PostgreSQL does not give to another transaction before it is
   * restarted.
   *
   * @param seen when, on the monotonic clock
   */
  record Open(Set<String> transactions, long seen) {
    boolean none() {
      return transactions.isEmpty();
    }

    /**
     * Whether none of them is among those that are open later. PREPARE TRANSACTION renames a
     * transaction, so a prepared one may be any of them.
     */
    boolean endedBy(Open later) {
      return later.transactions().stream()
          .noneMatch(open -> open.startsWith(PREPARED) || transactions.contains(open));
    }
  }

  Open open(Handle handle) {
    return new Open(
        new HashSet<>(handle.createQuery(HOLDERS).mapTo(String.class).list()), System.nanoTime());
  }

  private record Session(int pid, String name, boolean ours) {}

  /**
   * A replica sends the insert of events and COMMIT in one message. A session that waits between
   * the two has lost its client in the middle of that message, and no timeout of PostgreSQL applies
   * there: it is ended here, as an idle transaction would be.
   */
  void endSilent(Handle handle, Open open) {
    if (System.nanoTime() - open.seen() < LONGEST_SILENCE.toNanos()) {
      return;
    }
    List<Session> sessions =
        handle
            .createQuery(SILENT)
            .bind("transactions", open.transactions().toArray(String[]::new))
            .map(
                (rs, _) ->
                    new Session(rs.getInt("pid"), rs.getString("session"), rs.getBoolean("ours")))
            .list();
    for (Session session : sessions) {
      if (session.ours()) {
        handle
            .createQuery("SELECT pg_terminate_backend(:pid)")
            .bind("pid", session.pid())
            .mapTo(Boolean.class)
            .one();
        LOG.warn("ended database session {}: its replica died within a commit", session.pid());
      } else if (System.nanoTime() - warned >= BETWEEN_WARNINGS.toNanos()) {
        warned = System.nanoTime();
        LOG.warn(
            "events are delayed: database session {} ('{}') has written to the table events and does not end its transaction. Commit it, roll it back or end the session.",
            session.pid(),
            session.name());
      }
    }
  }
}
