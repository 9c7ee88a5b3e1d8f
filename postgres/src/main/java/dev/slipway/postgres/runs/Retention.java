package dev.slipway.postgres.runs;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.Faults;
import dev.slipway.postgres.RootColumn;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * Removes runs that ended long ago, with all that belongs to them and the runs that they made. What
 * something still refers to stays: what the branch of the run's root keeps, the run that a later
 * one retries. Runs of a branch that this server does not have stay. Definitions that no run
 * executes any more go last.
 *
 * <p>It delays no other transaction: it locks only ended runs, few at a time, and skips rows that
 * another transaction has locked. Ids sort by age, so it needs no index of its own.
 */
public final class Retention {
  private static final String LOOKED_AT =
      "SELECT id FROM runs WHERE id > :after AND id < :before ORDER BY id LIMIT :count";

  private static final String OLD =
      """
      SELECT r.id, r.root, r.%s, r.environment FROM runs r
       WHERE r.id = ANY (:looked) AND r.finished_at < :before AND r.claimable_at IS NULL
         AND r.kind NOT IN ('child', 'rollback')
         AND NOT EXISTS (SELECT 1 FROM runs again
                          WHERE again.parent_run_id = r.id
                            AND again.kind NOT IN ('child', 'rollback'))
         AND NOT EXISTS (SELECT 1 FROM module_workspaces w
                           JOIN module_states s ON s.workspace = w.key AND s.version = w.version
                          WHERE w.key LIKE 'named/%%' AND s.run_id = r.id)
         FOR UPDATE OF r SKIP LOCKED
      """
          .formatted(RootColumn.NAME);

  private static final String WITH_THOSE_THEY_MADE =
      """
      WITH RECURSIVE made AS (
        SELECT id FROM runs WHERE id = ANY (:old)
        UNION
        SELECT r.id FROM runs r JOIN made m ON r.parent_run_id = m.id
         WHERE r.kind IN ('child', 'rollback'))
      SELECT id FROM made
      """;

  private static final List<String> REMOVALS =
      List.of(
          "DELETE FROM step_logs WHERE run_id = ANY (:runs)",
          "DELETE FROM attempts WHERE run_id = ANY (:runs)",
          "DELETE FROM steps WHERE run_id = ANY (:runs)",
          "DELETE FROM approvals WHERE kind = 'step' AND run_id = ANY (:runs)",
          "DELETE FROM runs WHERE id = ANY (:runs)");

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

  private final Jdbi jdbi;
  private final Map<String, RunsKept> kept;

  /** A branch says what is kept of the runs below its kind of root, by the prefix of that kind. */
  public Retention(Jdbi jdbi, Map<String, RunsKept> kept) {
    this.jdbi = jdbi;
    this.kept = Map.copyOf(kept);
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
   * Removes definitions from before that moment that no run executes; answers how many. Removes
   * none while a transaction inserts runs.
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

  private int remove(Handle handle, List<UUID> looked, Instant before) {
    List<UUID> old = unneeded(handle, ended(handle, looked, before));
    if (old.isEmpty()) {
      return 0;
    }
    UUID[] runs =
        handle
            .createQuery(WITH_THOSE_THEY_MADE)
            .bind("old", old.toArray(UUID[]::new))
            .mapTo(UUID.class)
            .list()
            .toArray(UUID[]::new);
    int removed = 0;
    for (String removal : REMOVALS) {
      removed = handle.createUpdate(removal).bind("runs", runs).execute();
    }
    return removed;
  }

  /** By the kind of their root; those without one are under the empty prefix. */
  private static Map<String, List<UUID>> ended(Handle handle, List<UUID> looked, Instant before) {
    Map<String, List<UUID>> ended = new TreeMap<>();
    handle
        .createQuery(OLD)
        .bind("looked", looked.toArray(UUID[]::new))
        .bind("before", before)
        .map(
            (rs, _) -> {
              NodeRef root = SubjectColumns.rootRef(rs);
              return ended
                  .computeIfAbsent(root == null ? "" : root.prefix(), _ -> new ArrayList<>())
                  .add(rs.getObject("id", UUID.class));
            })
        .list();
    return ended;
  }

  private List<UUID> unneeded(Handle handle, Map<String, List<UUID>> ended) {
    List<UUID> old = new ArrayList<>(ended.getOrDefault("", List.of()));
    kept.forEach(
        (prefix, branch) -> {
          List<UUID> runs = ended.getOrDefault(prefix, List.of());
          if (!runs.isEmpty()) {
            Set<UUID> needed = branch.among(handle, runs);
            runs.stream().filter(run -> !needed.contains(run)).forEach(old::add);
          }
        });
    return old;
  }

  /** The smallest id that a run made at that moment can have. */
  private static UUID firstOf(Instant moment) {
    return new UUID(moment.toEpochMilli() << 16, 0);
  }
}
