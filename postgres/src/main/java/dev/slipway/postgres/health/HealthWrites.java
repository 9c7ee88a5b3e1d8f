package dev.slipway.postgres.health;

import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Stale;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes of observed health. */
final class HealthWrites {
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

  private HealthWrites() {}

  static Set<String> upsert(Connection connection, List<Observation> written) throws SQLException {
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

  static void keep(Connection connection, List<NodeHealth.Change> changes) throws SQLException {
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

  private static Object tree(List<Stale> stale) {
    return stale.stream()
        .map(s -> Map.of("test", s.test(), "wanted", s.wanted(), "seen", s.seen()))
        .toList();
  }
}
