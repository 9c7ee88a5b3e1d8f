package dev.slipway.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.graph.ExplainWalk;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeKind.Scope;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.Paths;
import dev.slipway.engine.graph.Relation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Queries on graphs of 10,000 and 100,000 nodes with three edges a node; baseline: the smaller. It
 * ends with 1 when a query on the larger one takes a second, or more than its share of memory.
 */
public final class GraphBenchmark {
  private static final NodeKind KIND = new NodeKind("resource", "resource", Scope.ENVIRONMENT);
  private static final int EDGES_A_NODE = 3;
  private static final int ROUNDS = 5;
  private static final long LONGEST = 1_000_000_000L;

  /** Ten times the nodes may take ten times the memory, with room for arrays that double. */
  private static final double MOST_MEMORY = 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private GraphBenchmark() {}

  /**
   * What a query costs: processor time with that of the garbage collector, which a busy machine
   * does not change, and what it allocates; the least of five rounds.
   */
  private record Cost(long nanos, long bytes) {}

  /** Prints milliseconds of processors, and megabytes that a query allocates. */
  public static void main(String[] arguments) {
    Map<String, Cost> small = measure(10_000);
    Map<String, Cost> large = measure(100_000);
    System.out.printf(
        "%-16s %14s %15s %8s %14s %8s%n",
        "query", "10,000 nodes", "100,000 nodes", "ratio", "memory", "ratio");
    List<String> missed = new ArrayList<>();
    large.forEach(
        (query, cost) -> {
          Cost few = Objects.requireNonNull(small.get(query), "both sizes answer all queries");
          double memory = cost.bytes() / (double) Math.max(1, few.bytes());
          System.out.printf(
              "%-16s %11.1f ms %12.1f ms %8s %11.1f MB %7.1fx%n",
              query,
              few.nanos() / 1e6,
              cost.nanos() / 1e6,
              few.nanos() == 0 ? "-" : "%.1fx".formatted((double) cost.nanos() / few.nanos()),
              cost.bytes() / 1e6,
              memory);
          if (cost.nanos() >= LONGEST) {
            missed.add(query + " takes a second or more");
          }
          if (memory > MOST_MEMORY) {
            missed.add(query + " takes more memory than in proportion to the nodes");
          }
        });
    if (!missed.isEmpty()) {
      System.err.println("missed: " + String.join("; ", missed));
      System.exit(1);
    }
  }

  private static Map<String, Cost> measure(int size) {
    List<NodeRef> refs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      refs.add(KIND.ref("thing.default#shop.r" + i));
    }
    Map<NodeRef, List<NodeRef>> needs = edges(refs);
    Graph graph = graph(needs, Relation.DEPENDS_ON);
    Graph contained = graph(needs, Relation.REQUIRES);
    PlanQuestion question = PlanQuestion.of(needs);
    Map<String, Cost> best = new LinkedHashMap<>();
    best.put("plan", best(question::answer));
    best.put("build", best(() -> Dag.of(needs)));
    Dag<NodeRef> dag = Dag.of(needs);
    best.put("waves", best(dag::levels));
    best.put("cycle", best(dag::cycle));
    best.put("dependencies", best(() -> dag.dependencies(List.of(refs.getLast()))));
    best.put("dependents", best(() -> dag.dependents(List.of(refs.getFirst()))));
    best.put("critical path", best(() -> dag.heaviestChain(ref -> ref.name().length())));
    best.put("explain", best(() -> explain(refs.getLast(), needs)));
    best.put("view: chain", best(() -> new Paths(contained).chain(refs.getLast())));
    best.put("view: dependents", best(() -> new Paths(graph).dependents(refs.subList(0, 1))));
    best.put("view: critical", best(() -> new Paths(graph).critical(KIND)));
    return best;
  }

  private static Object explain(NodeRef from, Map<NodeRef, List<NodeRef>> needs) {
    return ExplainWalk.from(
            from,
            needs.size(),
            refs -> {
              Map<NodeRef, NodeView> views = new HashMap<>();
              for (NodeRef ref : refs) {
                views.put(
                    ref,
                    new NodeView(
                        ref,
                        Optional.empty(),
                        "requested",
                        Optional.empty(),
                        needs.getOrDefault(ref, List.of()),
                        Optional.empty()));
              }
              return views;
            })
        .orElseThrow();
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

  private static Cost best(Supplier<?> query) {
    long best = Long.MAX_VALUE;
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long began = SYSTEM.getProcessCpuTime();
      if (query.get() == null) {
        throw new IllegalStateException("a query always answers");
      }
      best = Math.min(best, SYSTEM.getProcessCpuTime() - began);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return new Cost(best, bytes);
  }
}
