package dev.slipway.postgres.health;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Keys of the reconcile loop whose gates wait for samples of nodes. */
public final class GateWaits {
  private GateWaits() {}

  /** A key that waits, or one item of it. */
  public record Waiter(String kind, String key, Optional<String> item) {}

  /** From now on, each stored sample of the node signals the waiter. */
  public static void open(Handle tx, NodeRef node, Waiter waiter) {
    tx.createUpdate(
            "INSERT INTO gate_waits (node, kind, key, item) VALUES (:node, :kind, :key, :item)"
                + " ON CONFLICT DO NOTHING")
        .bind("node", node.text())
        .bind("kind", waiter.kind())
        .bind("key", waiter.key())
        .bind("item", waiter.item().orElse(null))
        .execute();
  }

  /** Ends the wait: the gate has opened or failed. */
  public static void close(Handle tx, NodeRef node, Waiter waiter) {
    tx.createUpdate(
            "DELETE FROM gate_waits WHERE node = :node AND kind = :kind AND key = :key"
                + " AND item IS NOT DISTINCT FROM :item")
        .bind("node", node.text())
        .bind("kind", waiter.kind())
        .bind("key", waiter.key())
        .bind("item", waiter.item().orElse(null))
        .execute();
  }

  static Set<String> waitedFor(Handle tx, Collection<String> nodes) {
    return new HashSet<>(
        tx.createQuery("SELECT DISTINCT node FROM gate_waits WHERE node = ANY (:nodes)")
            .bind("nodes", nodes.toArray(String[]::new))
            .mapTo(String.class)
            .list());
  }

  static void signal(Handle tx, Collection<String> nodes, Instant at) {
    Set<String> kinds =
        new HashSet<>(
            tx.createQuery(
                    """
                    WITH signalled AS (
                      INSERT INTO signals (kind, key, item, at)
                      SELECT DISTINCT kind, key, item, CAST(:at AS timestamptz)
                        FROM gate_waits WHERE node = ANY (:nodes)
                      RETURNING kind)
                    SELECT DISTINCT kind FROM signalled
                    """)
                .bind("nodes", nodes.toArray(String[]::new))
                .bind("at", at)
                .mapTo(String.class)
                .list());
    kinds.forEach(kind -> Notifications.announce(tx, Topic.SIGNALS, kind));
  }
}
