package dev.slipway.postgres.runs;

import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** From which run a run descends: by retry, by rollback, or because a step of it was the caller. */
public final class RunLineage {
  private static final String ROOTS =
      """
      WITH RECURSIVE up AS (
        SELECT id AS run, id, parent_run_id, team FROM runs WHERE id IN (:run, :other)
        UNION ALL
        SELECT up.run, r.id, r.parent_run_id, r.team FROM up JOIN runs r ON r.id = up.parent_run_id
      )
      SELECT count(DISTINCT run) = 2 AND count(DISTINCT id) = 1 AND count(DISTINCT team) = 1
        FROM up
       WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = up.parent_run_id)
      """;

  /** The chain of parents of a run, up to the root. */
  private static final String ROOT_OF =
      """
      (WITH RECURSIVE above AS (
         SELECT id, parent_run_id, kind FROM runs WHERE id = %s
         UNION ALL
         SELECT r.id, r.parent_run_id, r.kind FROM above JOIN runs r ON r.id = above.parent_run_id
          WHERE above.kind IN ('child', 'rollback'))
       SELECT id FROM above WHERE kind NOT IN ('child', 'rollback') AND id <> %s)
      """;

  private final Jdbi jdbi;

  public RunLineage(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * An SQL expression: the run at the top of those that made a run, by call or to undo it; null if
   * no run made it, or if one of them is not kept any more.
   *
   * @param run an SQL expression as well
   */
  public static String rootOf(String run) {
    return ROOT_OF.formatted(run, run);
  }

  /** Whether both descend from the same run. */
  public boolean related(UUID run, UUID other) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(ROOTS)
                .bind("run", run)
                .bind("other", other)
                .mapTo(Boolean.class)
                .one());
  }
}
