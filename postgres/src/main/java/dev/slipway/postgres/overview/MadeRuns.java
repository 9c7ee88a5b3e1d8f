package dev.slipway.postgres.overview;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The runs that other runs made: child runs of their steps, and rollbacks, at any depth. */
public final class MadeRuns {
  private static final String BELOW =
      """
      WITH RECURSIVE below AS (
        SELECT id, 0 AS depth FROM unnest(:ids) AS top (id)
        UNION ALL
        SELECT made.id, below.depth + 1 FROM below JOIN runs made ON made.parent_run_id = below.id
         WHERE made.kind IN ('child', 'rollback') AND below.depth < 32
      )
      SELECT runs.* FROM below JOIN runs USING (id) WHERE below.depth > 0
       ORDER BY runs.id LIMIT :most
      """;

  private MadeRuns() {}

  /** Adds them to a graph that has the runs which made them; at most so many. */
  public static void add(Handle handle, GraphBuilder graph, Collection<UUID> made, int most) {
    handle
        .createQuery(BELOW)
        .bindByType("ids", made.toArray(UUID[]::new), UUID[].class)
        .bind("most", most)
        .map((rs, _) -> new Edge(rs.getString("parent_run_id"), node(rs)))
        .forEach(
            edge ->
                graph
                    .node(edge.run())
                    .edge(TrunkKinds.RUN.ref(edge.parent()), edge.run().ref(), Relation.CONTAINS));
  }

  private record Edge(String parent, Node run) {}

  /** The node of a row of {@code runs}. */
  public static Node node(ResultSet rs) throws SQLException {
    String id = rs.getString("id");
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("runId", id);
    details.put("kind", rs.getString("kind"));
    details.put("provider", rs.getString("provider"));
    if (rs.getString("operation") != null) {
      details.put("operation", rs.getString("operation"));
    }
    return new Node(
        TrunkKinds.RUN.ref(id),
        TrunkKinds.RUN.type(),
        rs.getString("workflow"),
        rs.getString("state"),
        null,
        Objects.requireNonNull(Columns.timeOrNull(rs, "created_at")),
        duration(rs),
        details);
  }

  private static @Nullable Long duration(ResultSet rs) throws SQLException {
    @Nullable Instant started = Columns.timeOrNull(rs, "started_at");
    @Nullable Instant finished = Columns.timeOrNull(rs, "finished_at");
    return started == null || finished == null
        ? null
        : Duration.between(started, finished).toMillis();
  }
}
