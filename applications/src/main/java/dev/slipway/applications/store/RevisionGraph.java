package dev.slipway.applications.store;

import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Edge;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphText;
import dev.slipway.engine.graph.NodeRef;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The graph that is kept with a revision. Releases up to schema 12 named a resource by application
 * and name there; each of these nodes has its identity in its details, so it is named as today when
 * it is read, also when a replica of such a release has written it during an upgrade.
 */
final class RevisionGraph {
  private final Map<NodeRef, NodeRef> today = new HashMap<>();

  private RevisionGraph() {}

  static Graph read(Map<String, Object> tree) {
    Graph stored = GraphText.read(tree);
    RevisionGraph names = new RevisionGraph();
    stored.nodes().forEach(names::learn);
    return new Graph(
        stored.nodes().stream().map(names::named).toList(),
        stored.edges().stream().map(names::named).toList());
  }

  private void learn(Node node) {
    if (node.ref().is(ApplicationNodes.RESOURCE)
        && node.details().get("identity") instanceof String identity) {
      String environment = node.ref().environment();
      today.put(node.ref(), new ApplicationNodes(environment).resource(identity));
    }
  }

  private NodeRef named(NodeRef ref) {
    return today.getOrDefault(ref, ref);
  }

  private Node named(Node node) {
    return new Node(
        named(node.ref()),
        node.type(),
        node.name(),
        node.state(),
        node.health(),
        node.since(),
        node.durationMs(),
        node.details());
  }

  private Edge named(Edge edge) {
    @Nullable NodeRef subject = edge.subject();
    return new Edge(
        named(edge.from()),
        named(edge.to()),
        edge.relation(),
        subject == null ? null : named(subject));
  }
}
