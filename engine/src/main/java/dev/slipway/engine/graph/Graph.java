package dev.slipway.engine.graph;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes and edges, sorted, so that equal graphs are equal text. */
public record Graph(List<Node> nodes, List<Edge> edges) {

  /**
   * One node.
   *
   * @param type of its kind, as users see it
   * @param details what else there is to show: revision, operation, reason, steps of a run
   */
  public record Node(
      NodeRef ref,
      String type,
      String name,
      @Nullable String state,
      @Nullable String health,
      @Nullable Instant since,
      @Nullable Long durationMs,
      Map<String, Object> details) {

    /** One of which only that it exists is known. */
    public Node(NodeKind kind, NodeRef ref, String name) {
      this(ref, kind.type(), name, null, null, null, null, Map.of());
    }

    /** The reference's text. */
    public String id() {
      return ref.text();
    }
  }

  /** One edge; {@code subject} is the node for which a provider executes a run. */
  public record Edge(NodeRef from, NodeRef to, Relation relation, @Nullable NodeRef subject) {}

  public Graph {
    nodes = nodes.stream().sorted(Comparator.comparing(Node::ref)).toList();
    edges =
        edges.stream()
            .distinct()
            .sorted(
                Comparator.comparing(Edge::from)
                    .thenComparing(Edge::to)
                    .thenComparing(Edge::relation))
            .toList();
  }
}
