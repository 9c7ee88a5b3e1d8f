package dev.slipway.postgres.reconcile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Finds the keys of one kind that have something to do. Signals are read key by key from the index,
 * beginning behind the key of the look before, so that the cost does not depend on how many signals
 * a key has and no key is passed over because smaller ones are signalled all the time.
 */
final class DueKeys {
  private static final String SIGNALLED =
      """
      WITH RECURSIVE signalled AS (
        (SELECT key FROM signals WHERE kind = :kind AND key > :behind ORDER BY key LIMIT 1)
        UNION ALL
        SELECT n.key
          FROM signalled s
         CROSS JOIN LATERAL (SELECT key FROM signals
                              WHERE kind = :kind AND key > s.key ORDER BY key LIMIT 1) AS n)
      SELECT key FROM signalled s
       WHERE NOT key = ANY (:but)
         AND NOT EXISTS (SELECT 1 FROM timers t
                          WHERE t.kind = :kind AND t.key = s.key AND t.failures > 0
                            AND t.due_at > :now)
       LIMIT :max
      """;

  private static final String TIMED =
      """
      SELECT key FROM timers
       WHERE kind = :kind AND due_at <= :now AND NOT key = ANY (:but)
       ORDER BY due_at LIMIT :max
      """;

  private final String kind;
  private String behind = "";

  DueKeys(String kind) {
    this.kind = kind;
  }

  /** At most so many, without some. */
  List<String> find(Handle handle, Instant now, Collection<String> without, int max) {
    String[] but = without.toArray(String[]::new);
    Set<String> found = new LinkedHashSet<>(query(handle, TIMED, now, but, max));
    List<String> signalled = query(handle, SIGNALLED, now, but, max);
    found.addAll(signalled);
    if (signalled.size() < max && !behind.isEmpty()) {
      behind = "";
      found.addAll(query(handle, SIGNALLED, now, but, max - signalled.size()));
    } else if (signalled.size() == max) {
      behind = signalled.getLast();
    }
    return new ArrayList<>(found);
  }

  private List<String> query(Handle handle, String sql, Instant now, String[] but, int max) {
    return handle
        .createQuery(sql)
        .bind("kind", kind)
        .bind("behind", behind)
        .bind("now", now)
        .bind("but", but)
        .bind("max", max)
        .mapTo(String.class)
        .list();
  }

  /** When the next timer of these kinds is due that is not due yet. */
  static Optional<Instant> nextTimer(Handle handle, Collection<String> kinds, Instant now) {
    return handle
        .createQuery(
            // Kind by kind, so that each is one step into the index however many timers there are.
            """
            SELECT t.due_at
              FROM unnest(:kinds) AS k (kind)
             CROSS JOIN LATERAL (SELECT due_at FROM timers
                                  WHERE kind = k.kind AND due_at > :now
                                  ORDER BY due_at LIMIT 1) AS t
             ORDER BY t.due_at LIMIT 1
            """)
        .bind("kinds", kinds.toArray(String[]::new))
        .bind("now", now)
        .mapTo(Instant.class)
        .findOne();
  }
}
