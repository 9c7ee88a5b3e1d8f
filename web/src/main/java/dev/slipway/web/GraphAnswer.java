package dev.slipway.web;

import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.GraphFormat;
import dev.slipway.engine.graph.GraphText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Graphs as the API answers them: schema {@code Graph}, or text in one of the formats. */
public final class GraphAnswer {
  private GraphAnswer() {}

  public static Answer of(Graph graph) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("nodes", graph.nodes().stream().map(GraphAnswer::node).toList());
    out.put("edges", graph.edges().stream().map(GraphAnswer::edge).toList());
    return Answer.ok(out);
  }

  /** Declares a route that answers with {@link #export}. */
  public static RouteDraft exporting(RouteDraft draft) {
    return draft
        .query("format", "mermaid, dot, json or svg")
        .givesText(200, "in the format asked for", "*/*");
  }

  /** In the format that the caller asks for; the graph is not read for one that does not exist. */
  public static Answer export(Call call, Supplier<Graph> graph) {
    String name = call.query("format").orElse("mermaid");
    GraphFormat format =
        GraphFormat.parse(name)
            .orElseThrow(
                () ->
                    Problem.badRequest(
                            "The format is mermaid, dot, json or svg, not '" + name + "'.")
                        .exception());
    return format == GraphFormat.JSON
        ? of(graph.get())
        : Answer.text(format.mediaType() + "; charset=utf-8", GraphText.write(graph.get(), format))
            .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
  }

  /** Schema {@code GraphNode}. */
  public static Map<String, Object> node(Graph.Node node) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", node.id());
    out.put("type", node.type());
    out.put("name", node.name());
    putIfThere(out, "state", node.state());
    putIfThere(out, "health", node.health());
    putIfThere(out, "since", node.since());
    putIfThere(out, "durationMs", node.durationMs());
    out.put("details", node.details());
    return out;
  }

  private static Map<String, Object> edge(Graph.Edge edge) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("from", edge.from().text());
    out.put("to", edge.to().text());
    out.put("type", edge.relation().text());
    putIfThere(out, "resource", edge.subject() == null ? null : edge.subject().text());
    return out;
  }

  private static void putIfThere(Map<String, Object> out, String name, @Nullable Object value) {
    if (value != null) {
      out.put(name, value);
    }
  }
}
