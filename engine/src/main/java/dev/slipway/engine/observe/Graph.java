package dev.slipway.engine.observe;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes and edges, sorted, so that equal graphs are equal text. */
public record Graph(List<Node> nodes, List<Edge> edges) {

  /** What a node stands for. */
  public enum Kind {
    APPLICATION,
    SPEC,
    RESOURCE,
    PROVIDER,
    WORKFLOW;

    /** As users see it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One node.
   *
   * @param id {@code resource:A:R} and the like
   * @param details what else there is to show: revision, operation, reason, steps of a run
   */
  public record Node(
      String id,
      Kind kind,
      String name,
      @Nullable String state,
      @Nullable String health,
      @Nullable Instant since,
      @Nullable Long durationMs,
      Map<String, Object> details) {}

  /** How two nodes belong together. */
  public enum Relation {
    CONTAINS,
    REQUIRES,
    EXECUTES,
    DEPENDS_ON,
    BINDS;

    /** As users see it: {@code depends-on}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** One edge; {@code resource} tells for which resource a provider executes a run. */
  public record Edge(String from, String to, Relation relation, @Nullable String resource) {}

  public Graph {
    nodes = nodes.stream().sorted(Comparator.comparing(Node::id)).toList();
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
