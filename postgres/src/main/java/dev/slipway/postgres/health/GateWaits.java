package dev.slipway.postgres.health;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Keys of the reconcile loop whose gates wait for samples of nodes. */
public final class GateWaits {
  private GateWaits() {}

  /** A key that waits, or one item of it. */
  public record Waiter(String kind, String key, Optional<String> item) {}

  /** A key of the reconcile loop. */
  public record Key(String kind, String key) {}

  /** A node whose samples a key waits for. */
  public record Wait(NodeRef node, Waiter waiter) {
    private @Nullable String item() {
      return waiter.item().orElse(null);
    }
  }

  /** From now on, each stored sample of the node signals the waiter. */
  public static void open(Handle tx, NodeRef node, Waiter waiter) {
    open(tx, List.of(new Wait(node, waiter)));
  }

  /** The same for many, in one statement. */
  public static void open(Handle tx, Collection<Wait> waits) {
    on(
        tx,
        waits,
        "INSERT INTO gate_waits (node, kind, key, item)"
            + " SELECT * FROM unnest(:nodes, :kinds, :keys, :items) ON CONFLICT DO NOTHING");
  }

  /** Ends the wait: the gate has opened or failed. */
  public static void close(Handle tx, NodeRef node, Waiter waiter) {
    close(tx, List.of(new Wait(node, waiter)));
  }

  /** The same for many, in one statement. */
  public static void close(Handle tx, Collection<Wait> waits) {
    on(
        tx,
        waits,
        "DELETE FROM gate_waits g USING unnest(:nodes, :kinds, :keys, :items)"
            + " AS w (node, kind, key, item) WHERE g.node = w.node AND g.kind = w.kind"
            + " AND g.key = w.key AND g.item IS NOT DISTINCT FROM w.item");
  }

  private static void on(Handle tx, Collection<Wait> waits, String sql) {
    if (waits.isEmpty()) {
      return;
    }
    tx.createUpdate(sql)
        .bind("nodes", texts(waits, w -> w.node().text()))
        .bind("kinds", texts(waits, w -> w.waiter().kind()))
        .bind("keys", texts(waits, w -> w.waiter().key()))
        .bind("items", texts(waits, Wait::item))
        .execute();
  }

  private static @Nullable String[] texts(
      Collection<Wait> waits, Function<Wait, @Nullable String> column) {
    return waits.stream().map(column).toArray(String[]::new);
  }

  static Set<String> waitedFor(Handle tx, Collection<String> nodes) {
    return new HashSet<>(
        tx.createQuery("SELECT DISTINCT node FROM gate_waits WHERE node = ANY (:nodes)")
            .bind("nodes", nodes.toArray(String[]::new))
            .mapTo(String.class)
            .list());
  }

  static void signal(Handle tx, Collection<String> nodes, Instant at, Optional<Key> deciding) {
    Set<String> kinds =
        new HashSet<>(
            tx.createQuery(
                    """
                    WITH signalled AS (
                      INSERT INTO signals (kind, key, item, at)
                      SELECT DISTINCT kind, key, item, CAST(:at AS timestamptz)
                        FROM gate_waits WHERE node = ANY (:nodes)
                         AND NOT (kind = :decidingKind AND key = :decidingKey)
                      RETURNING kind)
                    SELECT DISTINCT kind FROM signalled
                    """)
                .bind("nodes", nodes.toArray(String[]::new))
                .bind("at", at)
                .bind("decidingKind", deciding.map(Key::kind).orElse(""))
                .bind("decidingKey", deciding.map(Key::key).orElse(""))
                .mapTo(String.class)
                .list());
    kinds.forEach(kind -> Notifications.announce(tx, Topic.SIGNALS, kind));
  }
}
