package dev.slipway.postgres.runs;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.RootColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

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
    return new UnusedDefinitions(jdbi).remove(before, now);
  }

  private int remove(Handle handle, List<UUID> looked, Instant before) {
    return remove(handle, unneeded(handle, ended(handle, looked, before)));
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
  static UUID firstOf(Instant moment) {
    return new UUID(moment.toEpochMilli() << 16, 0);
  }
}
