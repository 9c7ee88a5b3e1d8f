package dev.slipway.applications.api;

import static dev.slipway.web.Route.get;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.store.Applications.Ref;
import dev.slipway.applications.store.GraphStore;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.GraphAnswer;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.RouteDraft;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The resource graph: planned, in progress and deployed. */
public record GraphApi(GraphStore graphs) {
  public List<Route> routes() {
    return List.of(
        get("/api/graph")
            .needs(Action.READ)
            .named("graphOfProvider", "Everything that a provider provides")
            .query("provider", "the provider's name")
            .gives(200, "the graph", "Graph")
            .by(this::ofProvider),
        draft("", "graph", "All of an application")
            .by(call -> GraphAnswer.of(graphs.of(Callers.of(call), ref(call)))),
        draft("/chain", "graphChain", "From a node to what it leads to")
            .query("from", "a node, such as spec:shop")
            .by(call -> GraphAnswer.of(graphs.chain(Callers.of(call), ref(call), from(call)))),
        draft("/dependencies", "graphDependencies", "What a node depends on")
            .query("node", "a node; every resource if not given")
            .by(
                call ->
                    GraphAnswer.of(
                        graphs.dependencies(Callers.of(call), ref(call), call.query("node")))),
        draft("/dependents", "graphDependents", "What depends on a node")
            .query("node", "a node; every resource if not given")
            .by(
                call ->
                    GraphAnswer.of(
                        graphs.dependents(Callers.of(call), ref(call), call.query("node")))),
        draft("/history", "graphHistory", "As it was at a revision")
            .query("revision", Route.Parameter.Kind.NUMBER, "the revision")
            .by(this::history),
        get("/api/graph/{application}/critical-path")
            .needs(Action.READ)
            .named("graphCriticalPath", "The longest chain of resources by measured time")
            .query("environment", "where it is; 'default' if not given")
            .gives(200, "nodes in order", "CriticalPath")
            .by(this::criticalPath),
        GraphAnswer.exporting(
                get("/api/graph/{application}/export")
                    .needs(Action.READ)
                    .named("graphExport", "The graph as text")
                    .query("environment", "where it is; 'default' if not given"))
            .by(call -> GraphAnswer.export(call, () -> graphs.of(Callers.of(call), ref(call)))));
  }

  private static RouteDraft draft(String path, String operation, String what) {
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
    return GraphAnswer.of(graphs.ofProvider(Callers.of(call), provider));
  }

  private Answer history(Call call) {
    long revision =
        call.number("revision")
            .orElseThrow(() -> Problem.badRequest("Name a revision: ?revision=1.").exception());
    if (revision < 1 || revision > Integer.MAX_VALUE) {
      throw Problem.notFound("revision", Long.toString(revision)).exception();
    }
    return GraphAnswer.of(graphs.history(Callers.of(call), ref(call), (int) revision));
  }

  private Answer criticalPath(Call call) {
    GraphStore.CriticalPath path = graphs.criticalPath(Callers.of(call), ref(call));
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("nodes", path.nodes().stream().map(GraphAnswer::node).toList());
    out.put("durationMs", path.durationMs());
    return Answer.ok(out);
  }

  private static String from(Call call) {
    Ref ref = ref(call);
    return call.query("from")
        .orElseGet(() -> new ApplicationRefs(ref.name(), ref.environment()).spec().text());
  }

  private static Ref ref(Call call) {
    return new Ref(call.path("application"), call.query("environment").orElse("default"));
  }
}
