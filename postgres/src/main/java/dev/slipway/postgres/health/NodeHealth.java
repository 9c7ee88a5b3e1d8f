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
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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

  /** The condition decides between two concurrent first samples of one node. */
  private static final String UPSERT =
      """
      INSERT INTO node_health AS h (node, health, request, revision, sampled_at, since, seen,
                                    stale, message, rule)
      SELECT s.node, s.health, s.request, s.revision, s.sampled_at, s.since, s.seen,
             s.stale::json, s.message, s.rule
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::timestamptz[],
                    ?::timestamptz[], ?::bool[], ?::text[], ?::text[], ?::text[])
          AS s (node, health, request, revision, sampled_at, since, seen, stale, message, rule)
       ORDER BY s.node
      ON CONFLICT (node) DO UPDATE
         SET health = excluded.health, request = excluded.request, revision = excluded.revision,
             sampled_at = excluded.sampled_at, since = excluded.since, seen = excluded.seen,
             stale = excluded.stale, message = excluded.message, rule = excluded.rule
       WHERE h.sampled_at < excluded.sampled_at
      RETURNING h.node
      """;

  private static final String HISTORY =
      """
      INSERT INTO health_history (node, at, health, revision, message)
      SELECT * FROM unnest(?::text[], ?::timestamptz[], ?::text[], ?::text[], ?::text[])
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
    samples.forEach(s -> newest.merge(s.node().text(), s, NodeHealth::later));
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
    Set<String> kept = upsert(tx.getConnection(), written);
    changes.removeIf(c -> !kept.contains(c.now().sample().node().text()));
    history(tx.getConnection(), changes);
    if (!kept.isEmpty()) {
      GateWaits.signal(tx, kept, newest(written), deciding);
    }
    return changes;
  }

  private static Instant newest(List<Observation> written) {
    return written.stream().map(o -> o.sample().at()).max(Instant::compareTo).orElseThrow();
  }

  private static Sample later(Sample one, Sample other) {
    return other.at().isAfter(one.at()) ? other : one;
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
                    time(rs, "at"), health(rs), rs.getString("revision"), rs.getString("message")))
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
            time(rs, "sampled_at"),
            Optional.ofNullable(rs.getString("request")),
            rs.getString("revision"),
            stale(rs.getString("stale")),
            rs.getString("message"),
            rs.getString("rule"));
    return new Observation(sample, time(rs, "since"), rs.getBoolean("seen"));
  }

  private static Health health(ResultSet rs) throws SQLException {
    return Health.parse(rs.getString("health")).orElseThrow();
  }

  private static Instant time(ResultSet rs, String column) throws SQLException {
    return rs.getObject(column, OffsetDateTime.class).toInstant();
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

  private static Object tree(List<Stale> stale) {
    return stale.stream()
        .map(s -> Map.of("test", s.test(), "wanted", s.wanted(), "seen", s.seen()))
        .toList();
  }

  private static Set<String> upsert(Connection connection, List<Observation> written)
      throws SQLException {
    Set<String> kept = new HashSet<>();
    if (written.isEmpty()) {
      return kept;
    }
    try (PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
      Rows.bind(connection, upsert, written)
          .text(o -> o.sample().node().text())
          .text(o -> o.sample().health().text())
          .text(o -> o.sample().request().orElse(null))
          .text(o -> o.sample().revision())
          .time(o -> o.sample().at())
          .time(Observation::since)
          .column("bool", Observation::seen)
          .json(o -> tree(o.sample().stale()))
          .text(o -> o.sample().message())
          .text(o -> o.sample().rule());
      try (ResultSet rows = upsert.executeQuery()) {
        while (rows.next()) {
          kept.add(rows.getString(1));
        }
      }
    }
    return kept;
  }

  private static void history(Connection connection, List<Change> changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(HISTORY)) {
      Rows.bind(connection, insert, changes)
          .text(c -> c.now().sample().node().text())
          .time(c -> c.now().sample().at())
          .text(c -> c.now().sample().health().text())
          .text(c -> c.now().sample().revision())
          .text(c -> c.now().sample().message());
      insert.executeUpdate();
    }
  }
}
