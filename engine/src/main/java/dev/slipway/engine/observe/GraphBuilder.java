package dev.slipway.engine.observe;

import dev.slipway.engine.observe.Graph.Edge;
import dev.slipway.engine.observe.Graph.Kind;
import dev.slipway.engine.observe.Graph.Node;
import dev.slipway.engine.observe.Graph.Relation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts a graph together from what is recorded; an edge is only there when both its ends are. */
public final class GraphBuilder {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<Edge> edges = new ArrayList<>();

  /** Adds a node; the first of an id stays. */
  public GraphBuilder node(Node node) {
    nodes.putIfAbsent(node.id(), node);
    return this;
  }

  /** Adds an edge. */
  public GraphBuilder edge(String from, String to, Relation relation) {
    edges.add(new Edge(from, to, relation, null));
    return this;
  }

  /** Adds the edge from a provider to a run for a resource. */
  public GraphBuilder executes(String provider, String run, String resource) {
    edges.add(new Edge(provider, run, Relation.EXECUTES, resource));
    return this;
  }

  /** An application and its spec. */
  public GraphBuilder application(
      NodeIds ids, String name, @Nullable String state, @Nullable Instant since, int revision) {
    Map<String, Object> details = Map.of("revision", (long) revision);
    node(
        new Node(ids.application(name), Kind.APPLICATION, name, state, null, since, null, details));
    node(new Node(ids.spec(name), Kind.SPEC, name, state, null, since, null, details));
    return edge(ids.application(name), ids.spec(name), Relation.CONTAINS);
  }

  /** A provider that some resource requires. */
  public GraphBuilder provider(String name, String resource) {
    String id = NodeIds.provider(name);
    node(new Node(id, Kind.PROVIDER, name, null, null, null, null, Map.of()));
    return edge(resource, id, Relation.REQUIRES);
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
