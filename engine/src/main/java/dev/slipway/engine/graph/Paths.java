package dev.slipway.engine.graph;

import dev.slipway.engine.graph.Graph.Edge;
import dev.slipway.engine.graph.Graph.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Ways through a graph, each in time linear in its nodes and edges. */
public final class Paths {
  private final Graph graph;
  private final Map<NodeRef, Node> byRef;

  /** Through this one. */
  public Paths(Graph graph) {
    this.graph = graph;
    this.byRef = HashMap.newHashMap(graph.nodes().size());
    graph.nodes().forEach(n -> byRef.put(n.ref(), n));
  }

  /** Whether there is such a node. */
  public boolean has(NodeRef ref) {
    return byRef.containsKey(ref);
  }

  /**
   * From a node down: what it contains and requires, then providers and runs. A provider on the way
   * leads only to runs for nodes on the way.
   */
  public Graph chain(NodeRef from) {
    Map<NodeRef, List<Edge>> leaving = HashMap.newHashMap(byRef.size());
    for (Edge edge : graph.edges()) {
      leaving.computeIfAbsent(edge.from(), ref -> new ArrayList<>()).add(edge);
    }
    Set<NodeRef> seen = new HashSet<>(Set.of(from));
    Set<Edge> taken = new HashSet<>();
    Deque<NodeRef> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (Edge edge : leaving.getOrDefault(open.removeFirst(), List.of())) {
        if (downwards(edge, from, seen)) {
          taken.add(edge);
          if (seen.add(edge.to())) {
            open.add(edge.to());
          }
        }
      }
    }
    return part(seen, taken::contains);
  }

  private static boolean downwards(Edge edge, NodeRef from, Set<NodeRef> seen) {
    return switch (edge.relation()) {
      case CONTAINS, REQUIRES -> true;
      case EXECUTES ->
          edge.subject() == null || edge.from().equals(from) || seen.contains(edge.subject());
      case DEPENDS_ON, BINDS -> false;
    };
  }

  /** What nodes depend on, directly and indirectly, with the nodes themselves. */
  public Graph dependencies(Collection<NodeRef> from) {
    return part(dag(node -> true).dependencies(from), Paths::dependence);
  }

  /** What depends on nodes, with the nodes themselves. */
  public Graph dependents(Collection<NodeRef> from) {
    return part(dag(node -> true).dependents(from), Paths::dependence);
  }

  /** The chain of nodes of a kind that took longest, dependencies first. */
  public List<Node> critical(NodeKind kind) {
    return dag(ref -> ref.is(kind)).heaviestChain(this::duration).stream()
        .map(ref -> Objects.requireNonNull(byRef.get(ref)))
        .toList();
  }

  /** Something that was not measured still counts as a link of its chain. */
  private long duration(NodeRef ref) {
    Long measured = Objects.requireNonNull(byRef.get(ref)).durationMs();
    return measured == null ? 1 : Math.max(1, measured);
  }

  private Dag<NodeRef> dag(Predicate<NodeRef> wanted) {
    Map<NodeRef, List<NodeRef>> needs = LinkedHashMap.newLinkedHashMap(byRef.size());
    graph.nodes().stream()
        .map(Node::ref)
        .filter(wanted)
        .forEach(ref -> needs.put(ref, new ArrayList<>()));
    for (Edge edge : graph.edges()) {
      List<NodeRef> of = needs.get(edge.from());
      if (of != null && dependence(edge)) {
        of.add(edge.to());
      }
    }
    return Dag.of(needs);
  }

  private static boolean dependence(Edge edge) {
    return edge.relation() == Relation.DEPENDS_ON;
  }

  private Graph part(Set<NodeRef> refs, Predicate<Edge> wanted) {
    return new Graph(
        graph.nodes().stream().filter(n -> refs.contains(n.ref())).toList(),
        graph.edges().stream()
            .filter(wanted)
            .filter(e -> refs.contains(e.from()) && refs.contains(e.to()))
            .toList());
  }
}
