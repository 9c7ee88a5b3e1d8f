package dev.slipway.applications.store;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.TrunkKinds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The newest runs of resources, as nodes. */
final class RunNodes {
  /** More would be a history, not a picture. */
  private static final int PER_RESOURCE = 10;

  private final Handle handle;

  RunNodes(Handle handle) {
    this.handle = handle;
  }

  private record Run(
      UUID id,
      UUID resource,
      String provider,
      String workflow,
      @Nullable String operation,
      String state,
      Instant createdAt,
      @Nullable Long durationMs) {}

  /** Adds them; answers how long the last run that succeeded took, by resource. */
  Map<UUID, Long> add(GraphBuilder graph, Map<UUID, NodeRef> resources) {
    Map<UUID, Long> durations = new HashMap<>();
    handle
        .createQuery(
            """
            SELECT run.id, run.resource_id, run.provider, run.workflow, run.operation, run.state,
                   run.created_at, run.started_at, run.finished_at
              FROM unnest(:ids) AS r (id)
             CROSS JOIN LATERAL (SELECT * FROM runs WHERE resource_id = r.id
                                    AND kind NOT IN ('child', 'rollback')
                                    AND cause IS DISTINCT FROM 'observation'
                                  ORDER BY id DESC LIMIT :max) AS run
             ORDER BY run.id
            """)
        .bindByType("ids", resources.keySet().toArray(UUID[]::new), UUID[].class)
        .bind("max", PER_RESOURCE)
        .map((rs, _) -> run(rs))
        .forEach(
            run -> {
              NodeRef resource =
                  Objects.requireNonNull(
                      resources.get(run.resource()),
                      "the query reads runs of these resources only");
              graph.node(node(run)).provider(run.provider(), resource);
              graph.executes(run.provider(), TrunkKinds.RUN.ref(run.id().toString()), resource);
              if (run.state().equals("succeeded") && run.durationMs() != null) {
                durations.put(run.resource(), run.durationMs());
              }
            });
    return durations;
  }

  private static Node node(Run run) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("runId", run.id().toString());
    details.put("provider", run.provider());
    if (run.operation() != null) {
      details.put("operation", run.operation());
    }
    return new Node(
        TrunkKinds.RUN.ref(run.id().toString()),
        TrunkKinds.RUN.type(),
        run.workflow(),
        run.state(),
        null,
        run.createdAt(),
        run.durationMs(),
        details);
  }

  private static Run run(ResultSet rs) throws SQLException {
    Instant started = Columns.timeOrNull(rs, "started_at");
    Instant finished = Columns.timeOrNull(rs, "finished_at");
    return new Run(
        rs.getObject("id", UUID.class),
        rs.getObject("resource_id", UUID.class),
        rs.getString("provider"),
        rs.getString("workflow"),
        rs.getString("operation"),
        rs.getString("state"),
        Columns.time(rs, "created_at"),
        started == null || finished == null
            ? null
            : Duration.between(started, finished).toMillis());
  }
}
