package dev.slipway.postgres.leases;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * The statements on table {@code leases}. A write under a lease locks its row FOR KEY SHARE, which
 * a renewal does not wait for and a takeover skips: the owner changes only between such writes.
 */
final class LeaseRows {
  private static final String NO_OWNER = "";

  private LeaseRows() {}

  /** A lease of this owner. */
  record Taken(String name, long epoch) {}

  /** A row of a group. */
  record Row(String name, String owner, boolean live) {}

  /** The current time, and the expiry of leases taken now. */
  record Term(Instant now, Instant until) {}

  /**
   * Renews all leases of the owner, including expired ones that were not taken over. A delayed
   * renewal that arrives after a later one shortens nothing.
   */
  static Map<String, Long> renew(Handle handle, String owner, Instant until) {
    Map<String, Long> renewed = new HashMap<>();
    handle
        .createQuery(
            """
            UPDATE leases SET expires_at = greatest(expires_at, :until)
             WHERE owner = :owner
            RETURNING name, epoch
            """)
        .bind("until", until)
        .bind("owner", owner)
        .map((rs, _) -> renewed.put(rs.getString("name"), rs.getLong("epoch")))
        .list();
    return renewed;
  }

  /** Inserts free rows for names that have none. */
  static void make(Handle handle, Collection<String> names, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO leases (name, owner, epoch, expires_at)
            SELECT name, :none, 0, :now FROM unnest(:names) AS name
            ON CONFLICT (name) DO NOTHING
            """)
        .bind("none", NO_OWNER)
        .bind("now", now)
        .bind("names", names.toArray(String[]::new))
        .execute();
  }

  /**
   * Takes at most that many free ones. The epoch is at least the time in seconds, so that it grows
   * also for a name whose row was removed as unused.
   */
  static List<Taken> take(
      Handle handle, String owner, Collection<String> names, int most, Term term) {
    return handle
        .createQuery(
            """
            WITH free AS MATERIALIZED (
              SELECT name FROM leases
               WHERE name = ANY (:names) AND expires_at <= :now
               LIMIT :most FOR UPDATE SKIP LOCKED)
            UPDATE leases l
               SET owner = :owner, epoch = greatest(l.epoch + 1, :first), expires_at = :until
              FROM free
             WHERE l.name = free.name
            RETURNING l.name, l.epoch
            """)
        .bind("names", names.toArray(String[]::new))
        .bind("now", term.now())
        .bind("most", most)
        .bind("owner", owner)
        .bind("first", term.now().getEpochSecond())
        .bind("until", term.until())
        .map((rs, _) -> new Taken(rs.getString("name"), rs.getLong("epoch")))
        .list();
  }

  /** The rows whose names begin with a prefix. */
  static List<Row> beginning(Handle handle, List<String> prefixes, Instant now) {
    return handle
        .createQuery(
            """
            SELECT l.name, l.owner, l.expires_at > :now AS live
              FROM leases l
             WHERE EXISTS (SELECT 1 FROM unnest(:prefixes) AS p WHERE starts_with(l.name, p))
             ORDER BY l.name
            """)
        .bind("now", now)
        .bind("prefixes", prefixes.toArray(String[]::new))
        .map((rs, _) -> new Row(rs.getString("name"), rs.getString("owner"), rs.getBoolean("live")))
        .list();
  }

  /** Releases those of the names that the owner holds. */
  static void release(Handle handle, String owner, Collection<String> names, Instant now) {
    handle
        .createUpdate(
            """
            UPDATE leases SET owner = :none, expires_at = :now
             WHERE owner = :owner AND name = ANY (:names)
            """)
        .bind("none", NO_OWNER)
        .bind("now", now)
        .bind("owner", owner)
        .bind("names", names.toArray(String[]::new))
        .execute();
  }

  /** Deletes the owner's rows with this prefix: no other process will need them. */
  static int leave(Handle handle, String owner, String prefix) {
    return handle
        .createUpdate("DELETE FROM leases WHERE owner = :owner AND starts_with(name, :prefix)")
        .bind("owner", owner)
        .bind("prefix", prefix)
        .execute();
  }

  /** Whether the owner holds the lease in this epoch; it stays so until the transaction ends. */
  static boolean lockAsOwner(Handle tx, String owner, Lease lease) {
    return tx.createQuery(
            """
            SELECT 1 FROM leases
             WHERE name = :name AND owner = :owner AND epoch = :epoch
               FOR KEY SHARE
            """)
        .bind("name", lease.name())
        .bind("owner", owner)
        .bind("epoch", lease.epoch())
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }
}
