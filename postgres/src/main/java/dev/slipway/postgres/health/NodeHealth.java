package dev.slipway.postgres.health;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Observation.Demand;
import dev.slipway.engine.health.Observation.Effect;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The observed health of nodes. The number of statements does not grow with the samples. */
public final class NodeHealth {
  private static final String FIND =
      """
      SELECT node, health, request, revision, sampled_at, since, seen, stale, message, rule
        FROM node_health WHERE node = ANY (?) ORDER BY node
      """;

  private NodeHealth() {}

  /** A changed health; {@code before} is empty for the first sample. */
  public record Change(Optional<Health> before, Observation now) {}

  /** One change of a node's health. */
  public record Past(Instant at, Health health, String revision, String message) {}

  /**
   * Stores samples that differ from the last ones, and signals the keys whose gates wait for them.
   * Returns the changes of health, for which the caller appends events.
   */
  public static List<Change> write(Handle tx, Collection<Sample> samples) throws SQLException {
    return write(tx, samples, Optional.empty());
  }

  /**
   * The same in the turn of a key, which is not signalled: it judges its gates in this transaction.
   */
  public static List<Change> write(
      Handle tx, Collection<Sample> samples, Optional<GateWaits.Key> deciding) throws SQLException {
    if (samples.isEmpty()) {
      return List.of();
    }
    Map<String, Sample> newest = new LinkedHashMap<>();
    samples.forEach(s -> newest.merge(s.node().text(), s, Sample::later));
    Map<String, Observation> known =
        read(tx.getConnection(), newest.keySet(), " FOR NO KEY UPDATE");
    Set<String> waitedFor = GateWaits.waitedFor(tx, newest.keySet());
    List<Observation> written = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    newest.forEach(
        (node, sample) -> {
          Optional<Observation> before = Optional.ofNullable(known.get(node));
          Demand demand = waitedFor.contains(node) ? Demand.GATE_WAITS : Demand.NO_GATE;
          Effect effect = before.map(b -> b.effect(sample, demand)).orElse(Effect.CHANGE);
          if (effect == Effect.NONE) {
            return;
          }
          Observation now = before.map(b -> b.then(sample)).orElse(Observation.first(sample));
          written.add(now);
          if (effect == Effect.CHANGE) {
            changes.add(new Change(before.map(b -> b.sample().health()), now));
          }
        });
    Set<String> kept = HealthWrites.upsert(tx.getConnection(), written);
    changes.removeIf(c -> !kept.contains(c.now().sample().node().text()));
    HealthWrites.keep(tx.getConnection(), changes);
    if (!kept.isEmpty()) {
      GateWaits.signal(tx, kept, newest(written), deciding);
    }
    return changes;
  }

  private static Instant newest(List<Observation> written) {
    return written.stream().map(o -> o.sample().at()).max(Instant::compareTo).orElseThrow();
  }

  /** The last observation of these nodes; nodes without a sample are left out. */
  public static Map<NodeRef, Observation> find(Handle handle, Collection<NodeRef> nodes)
      throws SQLException {
    return find(handle.getConnection(), nodes);
  }

  /** The same on a plain connection. */
  public static Map<NodeRef, Observation> find(Connection connection, Collection<NodeRef> nodes)
      throws SQLException {
    Map<NodeRef, Observation> found = new HashMap<>();
    if (!nodes.isEmpty()) {
      read(connection, nodes.stream().map(NodeRef::text).toList(), "")
          .values()
          .forEach(o -> found.put(o.sample().node(), o));
    }
    return found;
  }

  /** The latest changes of one node, newest first. */
  public static List<Past> history(Handle handle, NodeRef node, int limit) {
    return handle
        .createQuery(
            "SELECT at, health, revision, message FROM health_history WHERE node = :node"
                + " ORDER BY id DESC LIMIT :limit")
        .bind("node", node.text())
        .bind("limit", limit)
        .map(
            (rs, _) ->
                new Past(
                    Columns.time(rs, "at"),
                    health(rs),
                    rs.getString("revision"),
                    rs.getString("message")))
        .list();
  }

  /** Deletes nodes that no longer exist; their history stays for its retention. */
  public static void forget(Handle tx, Collection<NodeRef> nodes) {
    if (!nodes.isEmpty()) {
      tx.createUpdate("DELETE FROM node_health WHERE node = ANY (:nodes)")
          .bind("nodes", nodes.stream().map(NodeRef::text).toArray(String[]::new))
          .execute();
    }
  }

  private static Map<String, Observation> read(
      Connection connection, Collection<String> nodes, String locking) throws SQLException {
    Map<String, Observation> found = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(FIND + locking)) {
      select.setArray(1, connection.createArrayOf("text", nodes.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.put(rows.getString("node"), observation(rows));
        }
      }
    }
    return found;
  }

  private static Observation observation(ResultSet rs) throws SQLException {
    Sample sample =
        new Sample(
            NodeRef.parse(rs.getString("node")).orElseThrow(),
            health(rs),
            Columns.time(rs, "sampled_at"),
            Optional.ofNullable(rs.getString("request")),
            rs.getString("revision"),
            stale(rs.getString("stale")),
            rs.getString("message"),
            rs.getString("rule"));
    return new Observation(sample, Columns.time(rs, "since"), rs.getBoolean("seen"));
  }

  private static Health health(ResultSet rs) throws SQLException {
    return Health.parse(rs.getString("health")).orElseThrow();
  }

  private static List<Stale> stale(String json) {
    return Json.read(json) instanceof List<?> list
        ? list.stream().map(Values::map).map(NodeHealth::oneStale).toList()
        : List.of();
  }

  private static Stale oneStale(Map<String, Object> tree) {
    return new Stale(
        String.valueOf(tree.get("test")),
        String.valueOf(tree.get("wanted")),
        String.valueOf(tree.get("seen")));
  }
}
