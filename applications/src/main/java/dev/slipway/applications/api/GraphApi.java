package dev.slipway.applications.api;

import static dev.slipway.web.Route.get;

import dev.slipway.applications.store.Applications.Ref;
import dev.slipway.applications.store.Graphs;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.GraphFormat;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The resource graph: planned, in progress and deployed. */
public final class GraphApi {
  private final Graphs graphs;
  private final BiFunction<Graph, GraphFormat, String> drawing;

  /** {@code graphs} reads a graph; {@code drawing} renders it in a format. */
  public GraphApi(Graphs graphs, BiFunction<Graph, GraphFormat, String> drawing) {
    this.graphs = graphs;
    this.drawing = drawing;
  }

  public List<Route> routes() {
    return List.of(
        get("/api/graph")
            .needs(Action.READ)
            .named("graphOfProvider", "Everything that a provider provides")
            .query("provider", "the provider's name")
            .gives(200, "the graph", "Graph")
            .by(this::ofProvider),
        draft("", "graph", "All of an application")
            .by(call -> answer(graphs.of(Callers.of(call), ref(call)))),
        draft("/chain", "graphChain", "From a node to what it leads to")
            .query("from", "a node, such as spec:shop")
            .by(call -> answer(graphs.chain(Callers.of(call), ref(call), from(call)))),
        draft("/dependencies", "graphDependencies", "What a node depends on")
            .query("node", "a node; every resource if not given")
            .by(
                call ->
                    answer(graphs.dependencies(Callers.of(call), ref(call), call.query("node")))),
        draft("/dependents", "graphDependents", "What depends on a node")
            .query("node", "a node; every resource if not given")
            .by(call -> answer(graphs.dependents(Callers.of(call), ref(call), call.query("node")))),
        draft("/history", "graphHistory", "As it was at a revision")
            .query("revision", Route.Parameter.Kind.NUMBER, "the revision")
            .by(this::history),
        get("/api/graph/{application}/critical-path")
            .needs(Action.READ)
            .named("graphCriticalPath", "The longest chain of resources by measured time")
            .query("environment", "where it is; 'default' if not given")
            .gives(200, "nodes in order", "CriticalPath")
            .by(this::criticalPath),
        get("/api/graph/{application}/export")
            .needs(Action.READ)
            .named("graphExport", "The graph as text")
            .query("environment", "where it is; 'default' if not given")
            .query("format", "mermaid, dot, json or svg")
            .givesText(200, "in the format asked for", "*/*")
            .by(this::export));
  }

  private static Route.Draft draft(String path, String operation, String what) {
    return get("/api/graph/{application}" + path)
        .needs(Action.READ)
        .named(operation, what)
        .query("environment", "where it is; 'default' if not given")
        .gives(200, "the graph", "Graph");
  }

  private Answer ofProvider(Call call) {
    String provider =
        call.query("provider")
            .orElseThrow(
                () -> Problem.badRequest("Name a provider: /api/graph?provider=NAME.").exception());
    return answer(graphs.ofProvider(Callers.of(call), provider));
  }

  private Answer history(Call call) {
    long revision =
        call.number("revision")
            .orElseThrow(() -> Problem.badRequest("Name a revision: ?revision=1.").exception());
    if (revision < 1 || revision > Integer.MAX_VALUE) {
      throw Problem.notFound("revision", Long.toString(revision)).exception();
    }
    return answer(graphs.history(Callers.of(call), ref(call), (int) revision));
  }

  private Answer criticalPath(Call call) {
    Graphs.CriticalPath path = graphs.criticalPath(Callers.of(call), ref(call));
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("nodes", path.nodes().stream().map(GraphApi::node).toList());
    out.put("durationMs", path.durationMs());
    return Answer.ok(out);
  }

  private Answer export(Call call) {
    String name = call.query("format").orElse("mermaid");
    GraphFormat format =
        GraphFormat.parse(name)
            .orElseThrow(
                () ->
                    Problem.badRequest(
                            "The format is mermaid, dot, json or svg, not '" + name + "'.")
                        .exception());
    Caller caller = Callers.of(call);
    Graph graph = graphs.of(caller, ref(call));
    return format == GraphFormat.JSON
        ? answer(graph)
        : Answer.text(format.mediaType() + "; charset=utf-8", drawing.apply(graph, format))
            .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
  }

  private static String from(Call call) {
    return call.query("from").orElse("spec:" + call.path("application"));
  }

  private static Ref ref(Call call) {
    return new Ref(call.path("application"), call.query("environment").orElse("default"));
  }

  private static Answer answer(Graph graph) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("nodes", graph.nodes().stream().map(GraphApi::node).toList());
    out.put("edges", graph.edges().stream().map(GraphApi::edge).toList());
    return Answer.ok(out);
  }

  private static Map<String, Object> node(Graph.Node node) {
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
