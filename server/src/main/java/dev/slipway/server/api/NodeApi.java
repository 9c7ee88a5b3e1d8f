package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.engine.graph.ExplainWalk.Entry;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.postgres.nodes.NodeSources;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.GraphAnswer;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.List;
import java.util.Map;

/** Nodes of every kind: why they wait, and for what. */
public record NodeApi(NodeExplanations explanations, NodeSources sources, RunGraphs runs) {
  public List<Route> routes() {
    return List.of(
        get("/api/nodes/{node}/explain")
            .needs(Action.READ)
            .named("explainNode", "Why a node is not what was asked for, root causes first")
            .gives(200, "the explanation; no entries when nothing is in its way", "NodeExplanation")
            .by(call -> explained(call, node(call))),
        get("/api/nodes/{node}/graph")
            .needs(Action.READ)
            .named("nodeGraph", "A node with what it waits for; of a run with all it is made of")
            .gives(200, "the graph", "Graph")
            .by(call -> GraphAnswer.of(graph(call, node(call)))),
        GraphAnswer.exporting(
                get("/api/nodes/{node}/graph/export")
                    .needs(Action.READ)
                    .named("nodeGraphExport", "The same graph as text"))
            .by(call -> GraphAnswer.export(call, () -> graph(call, node(call)))),
        get("/api/workflows/{id}/explain")
            .needs(Action.READ)
            .named(
                "explainRun", "Why a run waits or has failed: step, approval, lease, called runs")
            .gives(200, "the explanation; no entries when all is well", "NodeExplanation")
            .by(call -> explained(call, run(call))),
        get("/api/workflows/{id}/graph")
            .needs(Action.READ)
            .named("runGraph", "A run with its steps, the runs that they called, and its rollback")
            .gives(200, "the graph", "Graph")
            .by(call -> GraphAnswer.of(graph(call, run(call)))),
        GraphAnswer.exporting(
                get("/api/workflows/{id}/graph/export")
                    .needs(Action.READ)
                    .named("runGraphExport", "The same graph as text"))
            .by(call -> GraphAnswer.export(call, () -> graph(call, run(call)))));
  }

  private Answer explained(Call call, NodeRef node) {
    NodeExplanations.Seen seen = explanations.walk(call.caller(), node);
    seen.found().of().team().ifPresent(call::concerns);
    return Answer.ok(explanations.view(seen));
  }

  private static NodeRef node(Call call) {
    String text = call.path("node");
    return NodeRef.parse(text).orElseThrow(() -> Problem.notFound("node", text).exception());
  }

  private static NodeRef run(Call call) {
    return TrunkKinds.RUN.ref(call.id("id", "run").toString());
  }

  private Graph graph(Call call, NodeRef node) {
    return node.is(TrunkKinds.RUN) ? runs.of(call, node) : waits(call, node);
  }

  private Graph waits(Call call, NodeRef node) {
    NodeExplanations.Seen seen = explanations.walk(call.caller(), node);
    GraphBuilder graph = new GraphBuilder();
    graph.node(node(new Entry(node, java.util.Optional.of(seen.found().of())), seen));
    for (Entry entry : seen.entries()) {
      graph.node(node(entry, seen));
      entry.blockedBy().forEach(on -> graph.edge(entry.node(), on, Relation.DEPENDS_ON));
    }
    return graph.build();
  }

  private Node node(Entry entry, NodeExplanations.Seen seen) {
    return new Node(
        entry.node(),
        type(entry.node()),
        entry.node().name(),
        entry.view().map(NodeView::state).orElse(null),
        null,
        entry.view().flatMap(NodeView::why).flatMap(Why::since).orElse(null),
        null,
        seen.entries().isEmpty() ? Map.of() : Map.of("why", NodeExplanations.why(seen, entry)));
  }

  private String type(NodeRef ref) {
    return sources.kinds().stream()
        .filter(ref::is)
        .map(NodeKind::type)
        .findFirst()
        .orElse(ref.prefix());
  }
}
