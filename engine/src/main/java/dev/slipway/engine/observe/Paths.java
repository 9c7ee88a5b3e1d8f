package dev.slipway.engine.observe;

import dev.slipway.engine.observe.Graph.Edge;
import dev.slipway.engine.observe.Graph.Kind;
import dev.slipway.engine.observe.Graph.Node;
import dev.slipway.engine.observe.Graph.Relation;
import dev.slipway.engine.plan.Order;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Ways through a graph. */
public final class Paths {
  private final Graph graph;
  private final Map<String, Node> byId = new HashMap<>();

  /** Through this one. */
  public Paths(Graph graph) {
    this.graph = graph;
    graph.nodes().forEach(n -> byId.put(n.id(), n));
  }

  /** Whether there is such a node. */
  public boolean has(String id) {
    return byId.containsKey(id);
  }

  /**
   * From a node down: application, spec, resource, provider, run. A provider leads only to runs of
   * the resources on the way.
   */
  public Graph chain(String from) {
    Set<String> seen = new TreeSet<>(Set.of(from));
    Set<String> resources = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(seen);
    Set<Edge> taken = new HashSet<>();
    while (!open.isEmpty()) {
      String here = open.removeFirst();
      if (byId.containsKey(here) && byId.get(here).kind() == Kind.RESOURCE) {
        resources.add(here);
      }
      for (Edge edge : graph.edges()) {
        if (edge.from().equals(here) && downwards(edge, from, resources)) {
          taken.add(edge);
          if (seen.add(edge.to())) {
            open.add(edge.to());
          }
        }
      }
    }
    return part(seen, taken::contains);
  }

  private static boolean downwards(Edge edge, String from, Set<String> resources) {
    return switch (edge.relation()) {
      case CONTAINS, REQUIRES -> true;
      case EXECUTES ->
          from.startsWith("provider:")
              || edge.resource() != null && resources.contains(edge.resource());
      case DEPENDS_ON, BINDS -> false;
    };
  }

  /** What nodes depend on, directly and indirectly, with the nodes themselves. */
  public Graph dependencies(Set<String> from) {
    return reach(from, Edge::from, Edge::to);
  }

  /** What depends on nodes. */
  public Graph dependents(Set<String> from) {
    return reach(from, Edge::to, Edge::from);
  }

  private interface End {
    String of(Edge edge);
  }

  private Graph reach(Set<String> from, End near, End far) {
    Map<String, Set<String>> next = new HashMap<>();
    for (Edge edge : graph.edges()) {
      if (edge.relation() == Relation.DEPENDS_ON) {
        next.computeIfAbsent(near.of(edge), k -> new TreeSet<>()).add(far.of(edge));
      }
    }
    Set<String> seen = new TreeSet<>(from);
    Deque<String> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      for (String node : next.getOrDefault(open.removeFirst(), Set.of())) {
        if (seen.add(node)) {
          open.add(node);
        }
      }
    }
    return part(seen, e -> e.relation() == Relation.DEPENDS_ON);
  }

  /** The chain of resources that took longest, dependencies first. */
  public List<Node> critical() {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() == Kind.RESOURCE) {
        needs.put(node.id(), new TreeSet<>());
      }
    }
    for (Edge edge : graph.edges()) {
      if (edge.relation() == Relation.DEPENDS_ON && needs.containsKey(edge.from())) {
        needs.get(edge.from()).add(edge.to());
      }
    }
    return new Order(needs)
        .heaviestChain(id -> duration(node(id))).stream().map(byId::get).toList();
  }

  private Node node(String id) {
    return Objects.requireNonNull(byId.get(id), "the order holds ids of the graph's nodes");
  }

  private static long duration(Node node) {
    // Something that was not measured still counts as a link of its chain.
    return node.durationMs() == null ? 1 : Math.max(1, node.durationMs());
  }

  private Graph part(Set<String> ids, Predicate<Edge> wanted) {
    return new Graph(
        graph.nodes().stream().filter(n -> ids.contains(n.id())).toList(),
        graph.edges().stream()
            .filter(e -> ids.contains(e.from()) && ids.contains(e.to()))
            .filter(wanted)
            .toList());
  }
}
