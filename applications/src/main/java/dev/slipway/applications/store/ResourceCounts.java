package dev.slipway.applications.store;

import dev.slipway.web.branch.Chore;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Corrects the counts that lists of applications show. A turn writes them, but a turn of a replica
 * of version 4 does not: after a rolling upgrade they may be old until the application moves again.
 */
public final class ResourceCounts {
  private static final String NEXT =
      """
      SELECT id FROM applications WHERE id > :after AND deleted_at IS NULL
       ORDER BY id LIMIT :count FOR NO KEY UPDATE SKIP LOCKED
      """;

  private static final String CORRECT =
      """
      UPDATE applications a SET resource_count = c.resources, active_count = c.active
        FROM (SELECT a.id, count(u.resource_id) AS resources,
                     count(*) FILTER (WHERE r.state = 'active') AS active
                FROM applications a
                LEFT JOIN resource_users u ON u.application_id = a.id
                LEFT JOIN resources r ON r.id = u.resource_id
               WHERE a.id = ANY (:ids)
               GROUP BY a.id) AS c
       WHERE a.id = c.id
         AND (a.resource_count, a.active_count) IS DISTINCT FROM (c.resources, c.active)
      """;

  private final Jdbi jdbi;

  public ResourceCounts(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** How far a pass has come, and how many applications were wrong. */
  public record Pass(UUID after, int corrected) {
    /** Before the oldest application. */
    public static final Pass START = new Pass(new UUID(0, 0), 0);
  }

  /** Corrects the next few; passes over those that a turn holds, which will be right by then. */
  public Optional<Pass> next(Pass pass, int count) {
    return jdbi.inTransaction(
        handle -> {
          UUID[] ids =
              handle
                  .createQuery(NEXT)
                  .bind("after", pass.after())
                  .bind("count", count)
                  .mapTo(UUID.class)
                  .list()
                  .toArray(UUID[]::new);
          return ids.length == 0
              ? Optional.empty()
              : Optional.of(new Pass(ids[ids.length - 1], correct(handle, ids)));
        });
  }

  /** A pass from the beginning, so many applications a piece. */
  public Chore.Piece pieces(int count) {
    return new Chore.Piece() {
      private Pass at = Pass.START;

      @Override
      public boolean next() {
        Optional<Pass> next = ResourceCounts.this.next(at, count);
        at = next.orElse(at);
        return next.isPresent();
      }
    };
  }

  private static int correct(Handle handle, UUID[] ids) {
    return handle.createUpdate(CORRECT).bind("ids", ids).execute();
  }
}
