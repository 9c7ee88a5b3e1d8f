package dev.slipway.engine.graph;

import dev.slipway.engine.graph.Graph.Edge;
import dev.slipway.engine.graph.Graph.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts a graph together from what is recorded; an edge is only there when both its ends are. */
public final class GraphBuilder {
  private final Map<NodeRef, Node> nodes = new LinkedHashMap<>();
  private final List<Edge> edges = new ArrayList<>();

  /** Adds a node; the first of a reference stays. */
  public GraphBuilder node(Node node) {
    nodes.putIfAbsent(node.ref(), node);
    return this;
  }

  /** Adds an edge. */
  public GraphBuilder edge(NodeRef from, NodeRef to, Relation relation) {
    edges.add(new Edge(from, to, relation, null));
    return this;
  }

  /** Adds the edge from a provider to a run for a node. */
  public GraphBuilder executes(String provider, NodeRef run, NodeRef subject) {
    edges.add(new Edge(TrunkKinds.PROVIDER.ref(provider), run, Relation.EXECUTES, subject));
    return this;
  }

  /** A provider that some node requires. */
  public GraphBuilder provider(String name, NodeRef requiredBy) {
    NodeRef provider = TrunkKinds.PROVIDER.ref(name);
    return node(new Node(TrunkKinds.PROVIDER, provider, name))
        .edge(requiredBy, provider, Relation.REQUIRES);
  }

  /** The graph. */
  public Graph build() {
    List<Edge> whole =
        edges.stream()
            .filter(e -> nodes.containsKey(e.from()) && nodes.containsKey(e.to()))
            .toList();
    return new Graph(List.copyOf(nodes.values()), whole);
  }
}
