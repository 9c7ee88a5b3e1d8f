package dev.slipway.postgres.runs;

import dev.slipway.postgres.Faults;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * Removes runs that ended long ago, with all that belongs to them and the runs that they made. What
 * something still refers to stays: the last run of a resource that exists, the run that a later one
 * retries. What no run executes any more goes last.
 *
 * <p>Nobody waits for it: it only locks rows that nobody writes any more, few at a time, and passes
 * over what somebody else holds. Ids sort by age, so it needs no index of its own.
 */
public final class Retention {
  private static final String LOOKED_AT =
      "SELECT id FROM runs WHERE id > :after AND id < :before ORDER BY id LIMIT :count";

  private static final String OLD =
      """
      SELECT r.id FROM runs r
       WHERE r.id = ANY (:looked) AND r.finished_at < :before AND r.claimable_at IS NULL
         AND r.kind NOT IN ('child', 'rollback')
         AND (r.resource_id IS NULL
              OR NOT EXISTS (SELECT 1 FROM resources x WHERE x.id = r.resource_id)
              OR EXISTS (SELECT 1 FROM runs later
                          WHERE later.resource_id = r.resource_id AND later.id > r.id
                            AND later.kind = 'resource'))
         AND NOT EXISTS (SELECT 1 FROM resources x WHERE x.id = r.resource_id AND x.run_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM runs again
                          WHERE again.parent_run_id = r.id
                            AND again.kind NOT IN ('child', 'rollback'))
         AND NOT EXISTS (SELECT 1 FROM module_workspaces w
                           JOIN module_states s ON s.workspace = w.key AND s.version = w.version
                          WHERE w.key LIKE 'named/%' AND s.run_id = r.id)
         AND NOT EXISTS (SELECT 1 FROM deployments d
                          WHERE d.id = r.deployment_id AND d.status IN ('waiting', 'running'))
         FOR UPDATE OF r SKIP LOCKED
      """;

  /**
   * With the runs that they made; all of a tree stays while one of its runs has not ended. By an
   * array of ids, since a plan for any number of ids would read whole tables.
   */
  private static final String REMOVE =
      """
      WITH RECURSIVE tree AS (
        SELECT id AS root, id, finished_at FROM runs WHERE id = ANY (:runs)
        UNION
        SELECT t.root, r.id, r.finished_at FROM runs r JOIN tree t ON r.parent_run_id = t.id
         WHERE r.kind IN ('child', 'rollback')),
      gone AS MATERIALIZED (
        SELECT ARRAY (SELECT t.id FROM tree t
                       WHERE NOT EXISTS (SELECT 1 FROM tree u
                                          WHERE u.root = t.root AND u.finished_at IS NULL)) AS ids),
      logs AS (DELETE FROM step_logs WHERE run_id = ANY ((SELECT ids FROM gone)::uuid[])),
      failed AS (DELETE FROM attempts WHERE run_id = ANY ((SELECT ids FROM gone)::uuid[])),
      done AS (DELETE FROM steps WHERE run_id = ANY ((SELECT ids FROM gone)::uuid[])),
      asked AS (DELETE FROM approvals
                 WHERE kind = 'step' AND run_id = ANY ((SELECT ids FROM gone)::uuid[]))
      DELETE FROM runs WHERE id = ANY ((SELECT ids FROM gone)::uuid[])
      """;

  /** Reads all runs, but locks nothing. */
  private static final String UNUSED =
      """
      SELECT d.hash FROM definitions d
       WHERE d.created_at < :before
         AND d.hash NOT IN (SELECT DISTINCT definition_hash FROM runs)
       LIMIT 1000
      """;

  /**
   * Whoever makes runs writes to this table first, so while this is held nobody is about to take a
   * definition up; it is not waited for, and held for a moment.
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

  private final Jdbi jdbi;

  public Retention(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** How far it has come, and how many runs are gone. */
  public record Pass(UUID after, int removed) {
    /** Before the oldest run. */
    public static final Pass START = new Pass(new UUID(0, 0), 0);
  }

  /**
   * Looks at the next few runs after that pass; empty when there are none from before that moment.
   */
  public Optional<Pass> next(Pass pass, Instant before, int count) {
    return jdbi.inTransaction(
        handle -> {
          List<UUID> looked =
              handle
                  .createQuery(LOOKED_AT)
                  .bind("after", pass.after())
                  .bind("before", firstOf(before))
                  .bind("count", count)
                  .mapTo(UUID.class)
                  .list();
          return looked.isEmpty()
              ? Optional.empty()
              : Optional.of(new Pass(looked.getLast(), remove(handle, looked, before)));
        });
  }

  /**
   * Removes definitions from before that moment that no run executes; answers how many. Leaves them
   * for another time when somebody is making runs right now.
   */
  public int removeDefinitions(Instant before, Instant now) {
    String[] unused =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(UNUSED)
                    .bind("before", before)
                    .mapTo(String.class)
                    .list()
                    .toArray(String[]::new));
    return unused.length == 0 ? 0 : removeUnused(unused, now.minus(LONGEST_TRANSACTION));
  }

  private int removeUnused(String[] unused, Instant since) {
    try {
      return jdbi.inTransaction(
          handle -> {
            handle.execute(ALONE);
            return handle
                .createUpdate(STILL_UNUSED)
                .bind("unused", unused)
                .bind("since", firstOf(since))
                .execute();
          });
    } catch (UnableToExecuteStatementException e) {
      if (e.getCause() instanceof SQLException sql && Faults.passing(sql)) {
        return 0;
      }
      throw e;
    }
  }

  private static int remove(Handle handle, List<UUID> looked, Instant before) {
    List<UUID> old =
        handle
            .createQuery(OLD)
            .bind("looked", looked.toArray(UUID[]::new))
            .bind("before", before)
            .mapTo(UUID.class)
            .list();
    return remove(handle, old);
  }

  /**
   * Removes runs with all that belongs to them and the runs that they made; answers how many. For
   * runs that have ended: one of them that has a run at work still is left to a later pass.
   */
  public static int remove(Handle tx, Collection<UUID> runs) {
    return runs.isEmpty()
        ? 0
        : tx.createUpdate(REMOVE).bind("runs", runs.toArray(UUID[]::new)).execute();
  }

  /** The smallest id that a run made at that moment can have. */
  private static UUID firstOf(Instant moment) {
    return new UUID(moment.toEpochMilli() << 16, 0);
  }
}
