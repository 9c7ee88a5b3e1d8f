package dev.slipway.bench;

import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeKind.Scope;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Paths;
import dev.slipway.engine.graph.Relation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;

/** Queries on graphs of 10,000 and 100,000 nodes with three edges a node; baseline: the smaller. */
public final class GraphBenchmark {
  private static final NodeKind KIND = new NodeKind("resource", "resource", Scope.ENVIRONMENT);
  private static final int EDGES_A_NODE = 3;
  private static final int ROUNDS = 5;

  private GraphBenchmark() {}

  /** Prints milliseconds, the best of five rounds each. */
  public static void main(String[] arguments) {
    Map<String, Long> small = measure(10_000);
    Map<String, Long> large = measure(100_000);
    System.out.printf("%-16s %14s %15s %8s%n", "query", "10,000 nodes", "100,000 nodes", "ratio");
    large.forEach(
        (query, nanos) -> {
          long few = Objects.requireNonNull(small.get(query), "both sizes answer all queries");
          System.out.printf(
              "%-16s %11.1f ms %12.1f ms %7.1fx%n",
              query, few / 1e6, nanos / 1e6, nanos / (double) Math.max(1, few));
        });
  }

  private static Map<String, Long> measure(int size) {
    List<NodeRef> refs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      refs.add(KIND.ref("shop:r" + i));
    }
    Map<NodeRef, List<NodeRef>> needs = edges(refs);
    Graph graph = graph(needs, Relation.DEPENDS_ON);
    Graph contained = graph(needs, Relation.REQUIRES);
    Map<String, Long> best = new LinkedHashMap<>();
    best.put("build", best(() -> Dag.of(needs)));
    Dag<NodeRef> dag = Dag.of(needs);
    best.put("waves", best(dag::levels));
    best.put("cycle", best(dag::cycle));
    best.put("dependencies", best(() -> dag.dependencies(List.of(refs.getLast()))));
    best.put("dependents", best(() -> dag.dependents(List.of(refs.getFirst()))));
    best.put("critical path", best(() -> dag.heaviestChain(ref -> ref.name().length())));
    best.put("view: chain", best(() -> new Paths(contained).chain(refs.getLast())));
    best.put("view: dependents", best(() -> new Paths(graph).dependents(refs.subList(0, 1))));
    best.put("view: critical", best(() -> new Paths(graph).critical(KIND)));
    return best;
  }

  private static Map<NodeRef, List<NodeRef>> edges(List<NodeRef> refs) {
    Random random = new Random(5);
    Map<NodeRef, List<NodeRef>> needs = new LinkedHashMap<>();
    for (int i = 0; i < refs.size(); i++) {
      List<NodeRef> on = new ArrayList<>();
      for (int edge = 0; edge < EDGES_A_NODE && i > 0; edge++) {
        on.add(refs.get(random.nextInt(Math.max(0, i - 1000), i)));
      }
      needs.put(refs.get(i), on);
    }
    return needs;
  }

  private static Graph graph(Map<NodeRef, List<NodeRef>> needs, Relation relation) {
    GraphBuilder graph = new GraphBuilder();
    needs.forEach(
        (ref, on) -> {
          graph.node(new Node(KIND, ref, ref.name()));
          on.forEach(dependency -> graph.edge(ref, dependency, relation));
        });
    return graph.build();
  }

  private static long best(Supplier<?> query) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      if (query.get() == null) {
        throw new IllegalStateException("a query always answers");
      }
      best = Math.min(best, System.nanoTime() - began);
    }
    return best;
  }
}
