package dev.slipway.postgres.runs;

import dev.slipway.postgres.Faults;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/** Definitions of workflows that no run executes any more. */
record UnusedDefinitions(Jdbi jdbi) {
  /** Reads all runs, but locks nothing. */
  private static final String UNUSED =
      """
      SELECT d.hash FROM definitions d
       WHERE d.created_at < :before
         AND d.hash NOT IN (SELECT DISTINCT definition_hash FROM runs)
       LIMIT 1000
      """;

  /**
   * A transaction that inserts runs writes to this table first, so while the lock is held no
   * transaction is about to use a definition. NOWAIT, because a waiting lock would block inserts.
   */
  private static final String ALONE = "LOCK TABLE definitions IN SHARE ROW EXCLUSIVE MODE NOWAIT";

  /** Of those found unused a moment ago: no run took one up since. */
  private static final String STILL_UNUSED =
      """
      DELETE FROM definitions
       WHERE hash = ANY (:unused)
         AND hash NOT IN (SELECT definition_hash FROM runs WHERE id > :since)
      """;

  /** No transaction that makes runs takes longer. */
  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(10);

  /**
   * Removes those from before that moment; answers how many. Removes none while a transaction
   * inserts runs.
   */
  int remove(Instant before, Instant now) {
    String[] unused =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(UNUSED)
                    .bind("before", before)
                    .mapTo(String.class)
                    .list()
                    .toArray(String[]::new));
    return unused.length == 0 ? 0 : remove(unused, now.minus(LONGEST_TRANSACTION));
  }

  private int remove(String[] unused, Instant since) {
    try {
      return jdbi.inTransaction(
          handle -> {
            handle.execute(ALONE);
            return handle
                .createUpdate(STILL_UNUSED)
                .bind("unused", unused)
                .bind("since", Retention.firstOf(since))
                .execute();
          });
    } catch (UnableToExecuteStatementException e) {
      if (e.getCause() instanceof SQLException sql && Faults.passing(sql)) {
        return 0;
      }
      throw e;
    }
  }
}
