package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.NodeKind.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application of three resources: a worker needs a queue and a database, the queue a disk. */
class PathsTest {
  private static final NodeKind SPEC = new NodeKind("spec", "spec", Scope.ENVIRONMENT);
  private static final NodeKind RESOURCE = new NodeKind("resource", "resource", Scope.ENVIRONMENT);
  private static final Map<String, Long> DURATIONS =
      Map.of("worker", 10L, "queue", 20L, "db", 25L, "disk", 30L);

  private final Paths paths = new Paths(graph());

  private static Graph graph() {
    GraphBuilder graph = new GraphBuilder().node(new Node(SPEC, SPEC.ref("shop"), "shop"));
    DURATIONS.forEach(
        (name, duration) -> {
          NodeRef ref = RESOURCE.ref(name);
          NodeRef run = TrunkKinds.RUN.ref("run-" + name);
          graph
              .node(new Node(ref, "resource", name, null, null, null, duration, Map.of()))
              .node(new Node(TrunkKinds.RUN, run, name))
              .edge(SPEC.ref("shop"), ref, Relation.CONTAINS)
              .provider(name.equals("disk") ? "volume" : "cloud", ref)
              .executes(name.equals("disk") ? "volume" : "cloud", run, ref);
        });
    return graph
        .edge(RESOURCE.ref("worker"), RESOURCE.ref("queue"), Relation.DEPENDS_ON)
        .edge(RESOURCE.ref("worker"), RESOURCE.ref("db"), Relation.DEPENDS_ON)
        .edge(RESOURCE.ref("queue"), RESOURCE.ref("disk"), Relation.DEPENDS_ON)
        .edge(SPEC.ref("shop"), RESOURCE.ref("db"), Relation.BINDS)
        .build();
  }

  private static List<String> names(Graph graph) {
    return graph.nodes().stream().map(Node::id).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "resource:worker, resource:db resource:disk resource:queue resource:worker",
    "resource:queue, resource:disk resource:queue",
    "resource:db, resource:db",
    "spec:shop, spec:shop"
  })
  void dependencies_of_a_node_are_direct_and_indirect_ones(String node, String expected) {
    assertThat(names(paths.dependencies(List.of(ref(node))))).containsExactly(expected.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "resource:disk, resource:disk resource:queue resource:worker",
    "resource:worker, resource:worker"
  })
  void dependents_of_a_node_are_direct_and_indirect_ones(String node, String expected) {
    assertThat(names(paths.dependents(List.of(ref(node))))).containsExactly(expected.split(" "));
  }

  @Test
  void a_chain_holds_runs_of_the_nodes_on_the_way_only() {
    assertThat(names(paths.chain(ref("resource:db"))))
        .containsExactly("provider:cloud", "resource:db", "workflow:run-db");
    assertThat(names(paths.chain(ref("spec:shop")))).hasSize(11);
    assertThat(names(paths.chain(ref("provider:cloud"))))
        .containsExactly(
            "provider:cloud", "workflow:run-db", "workflow:run-queue", "workflow:run-worker");
  }

  @Test
  void the_critical_path_is_the_chain_that_took_longest() {
    assertThat(paths.critical(RESOURCE))
        .extracting(Node::name)
        .containsExactly("disk", "queue", "worker");
  }

  private static NodeRef ref(String text) {
    return NodeRef.parse(text).orElseThrow();
  }
}
