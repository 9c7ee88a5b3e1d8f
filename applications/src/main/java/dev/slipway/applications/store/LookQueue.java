package dev.slipway.applications.store;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.reconcile.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * When resources are looked at next: rows of {@code looks}, in shards that are keys of the
 * reconcile loop, so that one turn begins all looks of a shard that are due.
 */
final class LookQueue {
  /** The kind of the keys. */
  static final String KIND = "look";

  /** Item of a signal: looks shall begin now. */
  static final String ASKED = "asked";

  private static final int SHARDS = 4;
  private static final Duration COUNTED_AGAIN = Duration.ofMinutes(1);

  private Instant counted = Instant.EPOCH;
  private long count;

  /**
   * A look that is due.
   *
   * @param asked when a look was asked for that begins afterwards; empty: by schedule
   */
  record Due(UUID resource, Optional<Instant> asked) {
    /** Whether a look that began then is what was asked for. */
    boolean servedBy(Instant began) {
      return asked.isEmpty() || !began.isBefore(asked.get());
    }
  }

  static String shard(UUID resource) {
    return Long.toString(resource.getLeastSignificantBits() & (SHARDS - 1));
  }

  /** Of a run that looks at the resource. */
  static NewRun.Key subject(UUID resource) {
    return new NewRun.Key(KIND, shard(resource), resource.toString(), NewRun.Key.OBSERVATION);
  }

  private static Integer[] shards(Collection<UUID> resources) {
    return resources.stream().map(id -> Integer.valueOf(shard(id))).toArray(Integer[]::new);
  }

  /** Asks for looks that begin from now on. */
  static void ask(Handle tx, Collection<UUID> resources, Instant now) {
    if (resources.isEmpty()) {
      return;
    }
    TreeSet<UUID> ordered = new TreeSet<>(resources);
    tx.createUpdate(
            """
            INSERT INTO looks AS l (resource_id, shard, due_at, asked)
            SELECT a.id, a.shard, :now, :now FROM unnest(:ids, :shards) AS a (id, shard)
             ORDER BY a.id
            ON CONFLICT (resource_id) DO UPDATE
               SET due_at = least(l.due_at, excluded.due_at),
                   asked = greatest(l.asked, excluded.asked)
            """)
        .bind("ids", ordered.toArray(UUID[]::new))
        .bind("shards", shards(ordered))
        .bind("now", now)
        .execute();
    Signals.items(
        tx,
        KIND,
        ordered.stream()
            .map(LookQueue::shard)
            .distinct()
            .map(shard -> new Signals.Item(shard, ASKED, Optional.empty()))
            .toList(),
        now);
  }

  /** Resources that a replica of a release before has made or moved have no row. */
  static int complete(Handle tx, Instant now) {
    List<UUID> missing =
        tx.createQuery(
                """
                SELECT r.id FROM resources r
                 WHERE (r.state IN ('active', 'degraded')
                        OR r.state = 'failed' AND r.applied_params IS NOT NULL)
                   AND NOT EXISTS (SELECT 1 FROM looks l WHERE l.resource_id = r.id)
                 LIMIT 1000
                """)
            .mapTo(UUID.class)
            .list();
    ask(tx, missing, now);
    return missing.size();
  }

  /** Locked, at most so many; those that are asked for first, then the longest due. */
  static List<Due> due(Handle tx, String shard, Instant now, int most) {
    return tx.createQuery(
            """
            SELECT resource_id, asked FROM looks
             WHERE shard = :shard AND due_at <= :now
             ORDER BY asked IS NULL, due_at LIMIT :most FOR UPDATE SKIP LOCKED
            """)
        .bind("shard", Integer.parseInt(shard))
        .bind("now", now)
        .bind("most", most)
        .map(
            (rs, _) ->
                new Due(
                    rs.getObject(1, UUID.class),
                    Optional.ofNullable(Columns.timeOrNull(rs, "asked"))))
        .list();
  }

  /** Begun or put off, each until then; what was asked for stays so if it is still to be done. */
  static void put(Handle tx, Map<UUID, Instant> until, Collection<UUID> stillAsked) {
    if (until.isEmpty()) {
      return;
    }
    List<UUID> ids = new ArrayList<>(until.keySet());
    tx.createUpdate(
            """
            UPDATE looks l SET due_at = n.due,
                               asked = CASE WHEN n.id = ANY (:asked) THEN l.asked END
              FROM unnest(:ids, CAST(:dues AS timestamptz[])) AS n (id, due)
             WHERE l.resource_id = n.id
            """)
        .bind("asked", stillAsked.toArray(UUID[]::new))
        .bind("ids", ids.toArray(UUID[]::new))
        .bind("dues", ids.stream().map(id -> String.valueOf(until.get(id))).toArray(String[]::new))
        .execute();
  }

  static void remove(Handle tx, Collection<UUID> resources) {
    if (!resources.isEmpty()) {
      tx.createUpdate("DELETE FROM looks WHERE resource_id = ANY (:ids)")
          .bind("ids", resources.toArray(UUID[]::new))
          .execute();
    }
  }

  /** When the next look of the shard is due; empty if it has none. */
  static Optional<Instant> next(Handle tx, String shard) {
    return tx.createQuery("SELECT due_at FROM looks WHERE shard = :shard ORDER BY due_at LIMIT 1")
        .bind("shard", Integer.parseInt(shard))
        .mapTo(Instant.class)
        .findOne();
  }

  /** How many resources are looked at, as of a minute ago. */
  synchronized long count(Handle tx, Instant now) {
    if (!now.isBefore(counted.plus(COUNTED_AGAIN))) {
      count = tx.createQuery("SELECT count(*) FROM looks").mapTo(Long.class).one();
      counted = now;
    }
    return count;
  }
}
