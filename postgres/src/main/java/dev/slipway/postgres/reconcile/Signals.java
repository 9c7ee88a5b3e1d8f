package dev.slipway.postgres.reconcile;

import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Asks for turns of keys, in the transaction that changes something for them. */
public final class Signals {
  private Signals() {}

  /** A turn for each of these keys, which looks at everything of it. */
  public static void add(Handle tx, String kind, Collection<String> keys, Instant at) {
    if (keys.isEmpty()) {
      return;
    }
    tx.createUpdate(
            "INSERT INTO signals (kind, key, at)"
                + " SELECT :kind, k.key, :at FROM unnest(:keys) AS k (key)")
        .bind("kind", kind)
        .bind("keys", keys.toArray(String[]::new))
        .bind("at", at)
        .execute();
    Notifications.announce(tx, Topic.SIGNALS, kind);
  }

  /**
   * A part of a key that has changed.
   *
   * @param run that has begun or ended there
   */
  public record Item(String key, String item, Optional<UUID> run) {}

  /** A turn for each of the keys, which looks at these items and at what follows from them. */
  public static void items(Handle tx, String kind, Collection<Item> items, Instant at) {
    if (items.isEmpty()) {
      return;
    }
    tx.createUpdate(
            "INSERT INTO signals (kind, key, item, run, at)"
                + " SELECT :kind, i.key, i.item, i.run, :at"
                + " FROM unnest(:keys, :items, :runs) AS i (key, item, run)")
        .bind("kind", kind)
        .bind("keys", items.stream().map(Item::key).toArray(String[]::new))
        .bind("items", items.stream().map(Item::item).toArray(String[]::new))
        .bind("runs", items.stream().map(i -> i.run().orElse(null)).toArray(UUID[]::new))
        .bind("at", at)
        .execute();
    Notifications.announce(tx, Topic.SIGNALS, kind);
  }

  /** A turn of the key at that time at the latest; the transaction holds the key's lock. */
  public static void later(Handle tx, String kind, String key, Instant due) {
    tx.createUpdate(
            """
            INSERT INTO timers (kind, key, due_at) VALUES (:kind, :key, :due)
            ON CONFLICT (kind, key) DO UPDATE SET due_at = least(timers.due_at, excluded.due_at)
             WHERE timers.failures = 0
            """)
        .bind("kind", kind)
        .bind("key", key)
        .bind("due", due)
        .execute();
    Notifications.announce(tx, Topic.SIGNALS, kind);
  }

  /** How many signals wait for kinds that are not among these, by kind. */
  static List<Waiting> unknown(Handle handle, Collection<String> kinds) {
    return handle
        .createQuery(
            "SELECT kind, count(*) FROM signals WHERE NOT kind = ANY (:kinds)"
                + " GROUP BY kind ORDER BY kind")
        .bind("kinds", kinds.toArray(String[]::new))
        .map((rs, _) -> new Waiting(rs.getString(1), rs.getLong(2)))
        .list();
  }

  /** Signals of one kind. */
  record Waiting(String kind, long signals) {}
}
