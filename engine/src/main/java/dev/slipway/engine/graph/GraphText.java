package dev.slipway.engine.graph;

import dev.slipway.engine.graph.Graph.Edge;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A graph as text; equal graphs are equal text, and no name can break out of its quotes. */
public final class GraphText {
  private GraphText() {}

  /** In that format. */
  public static String write(Graph graph, GraphFormat format) {
    return switch (format) {
      case MERMAID -> mermaid(graph);
      case DOT -> dot(graph);
      case JSON -> Json.write(tree(graph));
      case SVG -> new GraphDrawing(graph).svg();
    };
  }

  /** Nodes and edges as JSON values; what the API answers with. */
  public static Map<String, Object> tree(Graph graph) {
    List<Object> nodes = new ArrayList<>();
    for (Node node : graph.nodes()) {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("id", node.id());
      tree.put("type", node.type());
      tree.put("name", node.name());
      tree.put("state", node.state());
      tree.put("health", node.health());
      tree.put("since", node.since() == null ? null : node.since().toString());
      tree.put("durationMs", node.durationMs());
      tree.put("details", node.details());
      nodes.add(tree);
    }
    List<Object> edges = new ArrayList<>();
    for (Edge edge : graph.edges()) {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("from", edge.from().text());
      tree.put("to", edge.to().text());
      tree.put("type", edge.relation().text());
      if (edge.subject() != null) {
        tree.put("resource", edge.subject().text());
      }
      edges.add(tree);
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("nodes", nodes);
    tree.put("edges", edges);
    return tree;
  }

  /** Reads back what {@link #tree} wrote. */
  public static Graph read(Map<String, Object> tree) {
    List<Node> nodes = new ArrayList<>();
    for (Object item : (List<?>) tree.getOrDefault("nodes", List.of())) {
      Map<String, Object> node = Values.map(item);
      nodes.add(
          new Node(
              ref(text(node, "id")),
              text(node, "type"),
              text(node, "name"),
              (String) node.get("state"),
              (String) node.get("health"),
              node.get("since") instanceof String since ? Instant.parse(since) : null,
              (Long) node.get("durationMs"),
              Values.map(node.get("details"))));
    }
    List<Edge> edges = new ArrayList<>();
    for (Object item : (List<?>) tree.getOrDefault("edges", List.of())) {
      Map<String, Object> edge = Values.map(item);
      edges.add(
          new Edge(
              ref(text(edge, "from")),
              ref(text(edge, "to")),
              Relation.parse(text(edge, "type")),
              edge.get("resource") instanceof String subject ? ref(subject) : null));
    }
    return new Graph(nodes, edges);
  }

  private static String text(Map<String, Object> tree, String key) {
    return (String) Objects.requireNonNull(tree.get(key), () -> "a stored graph lacks " + key);
  }

  private static NodeRef ref(String text) {
    return NodeRef.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("not a node: " + text));
  }

  private static String mermaid(Graph graph) {
    Map<NodeRef, String> names = numbered(graph);
    StringBuilder text = new StringBuilder("flowchart TD\n");
    for (Node node : graph.nodes()) {
      text.append("  ")
          .append(names.get(node.ref()))
          .append("[\"")
          .append(mermaidText(label(node)))
          .append("\"]\n");
    }
    for (Edge edge : graph.edges()) {
      text.append("  ")
          .append(names.get(edge.from()))
          .append(edge.relation() == Relation.DEPENDS_ON ? " -. " : " -- ")
          .append(edge.relation().text())
          .append(edge.relation() == Relation.DEPENDS_ON ? " .-> " : " --> ")
          .append(names.get(edge.to()))
          .append('\n');
    }
    return text.toString();
  }

  private static String dot(Graph graph) {
    StringBuilder text =
        new StringBuilder("digraph slipway {\n  rankdir=TB;\n  node [shape=box];\n");
    for (Node node : graph.nodes()) {
      text.append("  ").append(quoted(node.id())).append(" [label=");
      text.append(quoted(label(node))).append("];\n");
    }
    for (Edge edge : graph.edges()) {
      text.append("  ")
          .append(quoted(edge.from().text()))
          .append(" -> ")
          .append(quoted(edge.to().text()));
      text.append(" [label=").append(quoted(edge.relation().text()));
      text.append(edge.relation() == Relation.DEPENDS_ON ? ", style=dashed];\n" : "];\n");
    }
    return text.append("}\n").toString();
  }

  static String label(Node node) {
    return node.type() + " " + node.name() + (node.state() == null ? "" : "\n" + node.state());
  }

  private static Map<NodeRef, String> numbered(Graph graph) {
    Map<NodeRef, String> names = new LinkedHashMap<>();
    graph.nodes().forEach(n -> names.put(n.ref(), "n" + names.size()));
    return names;
  }

  private static String mermaidText(String text) {
    return text.replace("&", "#amp;")
        .replace("\"", "#quot;")
        .replace("<", "#lt;")
        .replace(">", "#gt;")
        .replace("\n", "<br/>");
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
