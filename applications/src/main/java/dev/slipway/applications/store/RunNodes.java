package dev.slipway.applications.store;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.postgres.overview.MadeRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The newest runs for an application and its resources, as nodes, with the runs that they made. */
final class RunNodes {
  /** More would be a history, not a picture. */
  private static final int PER_SUBJECT = 10;

  private static final int MADE = 2_000;

  private static final String OF_RESOURCES =
      """
      SELECT run.*
        FROM unnest(:ids) AS r (id)
       CROSS JOIN LATERAL (SELECT * FROM runs WHERE resource_id = r.id
                              AND kind NOT IN ('child', 'rollback')
                              AND cause IS DISTINCT FROM 'observation'
                            ORDER BY id DESC LIMIT :max) AS run
       ORDER BY run.id
      """;

  /** Checks of the platform before a deployment. */
  private static final String OF_APPLICATION =
      """
      SELECT * FROM runs WHERE application_id = :application AND kind = 'platform'
       ORDER BY id DESC LIMIT :max
      """;

  private final Handle handle;
  private final GraphBuilder graph;
  private final List<UUID> added = new ArrayList<>();

  RunNodes(Handle handle, GraphBuilder graph) {
    this.handle = handle;
    this.graph = graph;
  }

  private record Run(UUID id, UUID subject, String provider, Node node) {}

  /** Adds them; answers how long the last run that succeeded took, by resource. */
  Map<UUID, Long> add(UUID application, NodeRef node, Map<UUID, NodeRef> resources) {
    Map<UUID, Long> durations = new HashMap<>();
    for (Run run : ofResources(resources.keySet().toArray(UUID[]::new))) {
      NodeRef resource =
          Objects.requireNonNull(
              resources.get(run.subject()), "the query reads runs of these resources only");
      graph.provider(run.provider(), resource);
      add(run, resource);
      Long took = run.node().durationMs();
      if (took != null && RunState.SUCCEEDED.text().equals(run.node().state())) {
        durations.put(run.subject(), took);
      }
    }
    ofApplication(application).forEach(run -> add(run, node));
    MadeRuns.add(handle, graph, added, MADE);
    return durations;
  }

  private void add(Run run, NodeRef subject) {
    NodeRef provider = TrunkKinds.PROVIDER.ref(run.provider());
    graph
        .node(new Node(TrunkKinds.PROVIDER, provider, run.provider()))
        .node(run.node())
        .executes(run.provider(), run.node().ref(), subject);
    added.add(run.id());
  }

  private List<Run> ofResources(UUID[] resources) {
    return handle
        .createQuery(OF_RESOURCES)
        .bindByType("ids", resources, UUID[].class)
        .bind("max", PER_SUBJECT)
        .map(
            (rs, _) ->
                new Run(
                    rs.getObject("id", UUID.class),
                    rs.getObject("resource_id", UUID.class),
                    rs.getString("provider"),
                    MadeRuns.node(rs)))
        .list();
  }

  private List<Run> ofApplication(UUID application) {
    return handle
        .createQuery(OF_APPLICATION)
        .bind("application", application)
        .bind("max", PER_SUBJECT)
        .map(
            (rs, _) ->
                new Run(
                    rs.getObject("id", UUID.class),
                    application,
                    rs.getString("provider"),
                    MadeRuns.node(rs)))
        .list();
  }
}
