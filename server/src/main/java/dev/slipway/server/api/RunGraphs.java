package dev.slipway.server.api;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.RunView;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Problem;
import dev.slipway.web.access.Action;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run as a graph: its steps, the runs that these called, its rollback, and theirs. */
public final class RunGraphs {
  /** Runs in one graph; further ones are nodes without steps. */
  private static final int MOST = 50;

  private final RunList runs;
  private final Function<String, Optional<Workflow>> definitions;

  /** {@code definitions} finds the workflow of a run by the hash of its definition. */
  public RunGraphs(RunList runs, Function<String, Optional<Workflow>> definitions) {
    this.runs = runs;
    this.definitions = definitions;
  }

  Graph of(Call call, NodeRef ref) {
    Teams visible = Callers.teams(call.caller(), Action.READ);
    RunView top =
        Call.uuid(ref.name())
            .flatMap(id -> runs.find(visible, id))
            .orElseThrow(() -> Problem.notFound("run", ref.name()).exception());
    call.concerns(top.team());
    GraphBuilder graph = new GraphBuilder();
    Deque<RunView.Made> open = new ArrayDeque<>(top.made());
    add(graph, top);
    for (int drawn = 1; !open.isEmpty(); drawn++) {
      RunView.Made next = open.removeFirst();
      Optional<RunView> run = drawn < MOST ? runs.find(visible, next.id()) : Optional.empty();
      run.ifPresentOrElse(
          found -> {
            add(graph, found);
            open.addAll(found.made());
          },
          () -> graph.node(small(next)));
    }
    return graph.build();
  }

  private static Node small(RunView.Made made) {
    return node(
        ref(made.id()),
        TrunkKinds.RUN.type(),
        made.workflow(),
        new Life(made.status().text(), made.startedAt(), made.completedAt()),
        Map.of("kind", made.kind().text()));
  }

  private void add(GraphBuilder graph, RunView run) {
    NodeRef node = ref(run.id());
    graph.node(
        node(
            node,
            TrunkKinds.RUN.type(),
            run.workflow(),
            new Life(run.status().text(), run.startedAt(), run.completedAt()),
            details(run)));
    graph.provider(run.provider(), node);
    steps(graph, run);
    for (RunView.Made made : run.made()) {
      made(graph, node, made);
    }
  }

  private void steps(GraphBuilder graph, RunView run) {
    Optional<Workflow> workflow = definitions.apply(run.definition());
    for (Map<String, Object> step : RunSteps.of(run, workflow).view()) {
      NodeRef node = step(run.id(), String.valueOf(step.get("name")));
      graph.node(
          node(
              node,
              TrunkKinds.STEP.type(),
              String.valueOf(step.get("name")),
              new Life(
                  String.valueOf(step.get("status")),
                  (Instant) step.get("startedAt"),
                  (Instant) step.get("completedAt")),
              details(step)));
      graph.edge(ref(run.id()), node, Relation.CONTAINS);
    }
    workflow.ifPresent(
        w ->
            w.steps()
                .forEach(
                    step ->
                        step.dependsOn()
                            .forEach(
                                on ->
                                    graph.edge(
                                        step(run.id(), step.name()),
                                        step(run.id(), on),
                                        Relation.DEPENDS_ON))));
  }

  private static void made(GraphBuilder graph, NodeRef parent, RunView.Made made) {
    NodeRef node = ref(made.id());
    String step = made.step();
    if (step == null) {
      graph.edge(parent, node, Relation.CONTAINS);
    } else {
      graph.edge(step(UUID.fromString(parent.name()), step), node, Relation.EXECUTES);
    }
  }

  private static Map<String, Object> details(RunView run) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("runId", run.id().toString());
    details.put("kind", run.kind().text());
    details.put("provider", run.provider());
    put(details, "operation", run.operation());
    put(details, "cause", run.cause());
    return details;
  }

  private static Map<String, Object> details(Map<String, Object> step) {
    Map<String, Object> details = new LinkedHashMap<>();
    for (String field : new String[] {"type", "attempt", "waitingFor"}) {
      put(details, field, step.get(field));
    }
    return details;
  }

  private static void put(Map<String, Object> details, String field, @Nullable Object value) {
    if (value != null) {
      details.put(field, value);
    }
  }

  /** Where it is, and when it was there. */
  private record Life(String state, @Nullable Instant from, @Nullable Instant to) {}

  private static Node node(
      NodeRef ref, String type, String name, Life life, Map<String, Object> details) {
    return new Node(
        ref,
        type,
        name,
        life.state(),
        null,
        life.from(),
        RunViews.millis(life.from(), life.to()),
        details);
  }

  private static NodeRef ref(UUID run) {
    return TrunkKinds.RUN.ref(run.toString());
  }

  private static NodeRef step(UUID run, String name) {
    return TrunkKinds.step(run.toString(), name);
  }
}
