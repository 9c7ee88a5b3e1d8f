package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Paths;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.health.NodeHealth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Graphs out of PostgreSQL: nothing is copied, so a state and its graph cannot differ. */
public final class GraphStore {
  /** The longest chain of resources by measured time. */
  public record CriticalPath(List<Graph.Node> nodes, long durationMs) {}

  private final ApplicationContext context;

  /** In this context. */
  public GraphStore(ApplicationContext context) {
    this.context = context;
  }

  /** All of an application. */
  public Graph of(Caller caller, Applications.Ref application) {
    return context.read(
        h -> ApplicationGraph.of(h, Visibility.application(h, caller, application)));
  }

  /** As it was at a revision. */
  public Graph history(Caller caller, Applications.Ref application, int revision) {
    return context.read(
        h -> {
          ApplicationRow row = Visibility.application(h, caller, application);
          return h.createQuery(
                  "SELECT graph FROM revisions WHERE application_id = ? AND revision = ?")
              .bind(0, row.id())
              .bind(1, revision)
              .mapTo(String.class)
              .findOne()
              .map(json -> RevisionGraph.read(Json.readMap(json)))
              .orElseThrow(() -> ApplicationContext.notFound("revision", String.valueOf(revision)));
        });
  }

  /** From a node to what it leads to: spec, resource, provider, that resource's runs. */
  public Graph chain(Caller caller, Applications.Ref application, String from) {
    Graph graph = of(caller, application);
    return new Paths(graph).chain(known(graph, from));
  }

  /** What a node depends on, directly and indirectly; empty: every resource of the application. */
  public Graph dependencies(Caller caller, Applications.Ref application, Optional<String> node) {
    Graph graph = of(caller, application);
    return new Paths(graph).dependencies(from(graph, node));
  }

  /** What depends on a node. */
  public Graph dependents(Caller caller, Applications.Ref application, Optional<String> node) {
    Graph graph = of(caller, application);
    return new Paths(graph).dependents(from(graph, node));
  }

  /** By measured durations. */
  public CriticalPath criticalPath(Caller caller, Applications.Ref application) {
    List<Node> nodes = new Paths(of(caller, application)).critical(ApplicationNodes.RESOURCE);
    long total = nodes.stream().mapToLong(n -> n.durationMs() == null ? 0 : n.durationMs()).sum();
    return new CriticalPath(nodes, total);
  }

  private static Set<NodeRef> from(Graph graph, Optional<String> node) {
    if (node.isPresent()) {
      return Set.of(known(graph, node.get()));
    }
    return graph.nodes().stream()
        .map(Node::ref)
        .filter(ref -> ref.is(ApplicationNodes.RESOURCE))
        .collect(Collectors.toSet());
  }

  private static NodeRef known(Graph graph, String node) {
    List<NodeRef> nodes = graph.nodes().stream().map(Node::ref).toList();
    Optional<NodeRef> ref = NodeRef.parse(node);
    return ref.filter(nodes::contains)
        .or(() -> ref.flatMap(old -> ApplicationRefs.ofOldName(old, nodes)))
        .orElseThrow(
            () -> {
              List<String> ids = nodes.stream().map(NodeRef::text).toList();
              return new RefusedException(
                  new Refusal.NotFound("node", node, Nearest.hintOrList(node, ids)));
            });
  }

  /** Everything that a provider provides, in all applications that the caller sees. */
  public Graph ofProvider(Caller caller, String provider) {
    return context.read(
        h -> {
          GraphBuilder graph = new GraphBuilder();
          List<Node> found = new ArrayList<>();
          Visibility.bind(
                  h.createQuery(
                          "SELECT r.environment, r.name, r.identity, r.type, r.state, r.state_since,"
                              + " a.name AS application FROM resources r"
                              + " JOIN applications a ON a.id = r.owner_id"
                              + " WHERE r.provider = :provider AND r.state <> 'deleted' AND "
                              + Visibility.OF_RESOURCE
                              + " ORDER BY r.id LIMIT 5000")
                      .bind("provider", provider),
                  caller)
              .map(
                  (rs, _) -> {
                    ApplicationNodes ids = new ApplicationNodes(rs.getString("environment"));
                    NodeRef id = ids.resource(rs.getString("identity"));
                    Map<String, Object> details = new LinkedHashMap<>();
                    details.put("type", rs.getString("type"));
                    details.put("application", rs.getString("application"));
                    return new Node(
                        id,
                        ApplicationNodes.RESOURCE.type(),
                        rs.getString("name"),
                        rs.getString("state"),
                        null,
                        Columns.time(rs, "state_since"),
                        null,
                        details);
                  })
              .forEach(found::add);
          Map<NodeRef, Observation> known =
              NodeHealth.find(h, found.stream().map(Node::ref).toList());
          found.forEach(
              node ->
                  graph
                      .node(
                          ApplicationGraph.observed(
                              node, Optional.ofNullable(known.get(node.ref()))))
                      .provider(provider, node.ref()));
          return graph.build();
        });
  }
}
