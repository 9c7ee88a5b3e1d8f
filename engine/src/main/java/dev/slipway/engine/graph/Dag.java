package dev.slipway.engine.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Nodes and what each depends on. Answers list nodes in the order in which they were given, so that
 * the same input has the same answer. Every query takes time and memory linear in nodes and edges.
 *
 * @param <N> a node: a name, a reference, an id
 */
public final class Dag<N> {
  private final List<N> nodes;
  private final Map<N, Integer> index;

  /** By number of the node: the numbers of what it depends on. */
  private final int[][] dependencies;

  private final int[][] dependents;

  private Dag(List<N> nodes, Map<N, Integer> index, int[][] dependencies) {
    this.nodes = nodes;
    this.index = index;
    this.dependencies = dependencies;
    this.dependents = reversed(dependencies);
  }

  /**
   * From each node's dependencies. The order of the map counts: pass a sorted one for sorted
   * answers. Dependencies that are not nodes themselves do not count.
   */
  public static <N> Dag<N> of(Map<N, ? extends Collection<N>> dependencies) {
    List<N> nodes = List.copyOf(dependencies.keySet());
    Map<N, Integer> index = HashMap.newHashMap(nodes.size());
    for (N node : nodes) {
      index.put(node, index.size());
    }
    int[][] edges = new int[nodes.size()][];
    int[] seenFor = new int[nodes.size()];
    int node = 0;
    for (Collection<N> on : dependencies.values()) {
      edges[node] = known(on, index, seenFor, node + 1);
      node++;
    }
    return new Dag<>(nodes, index, edges);
  }

  /** Their numbers, each once; {@code seenFor} holds the mark of the node that has it already. */
  private static <N> int[] known(Collection<N> on, Map<N, Integer> index, int[] seenFor, int mark) {
    int[] numbers = new int[on.size()];
    int size = 0;
    for (N each : on) {
      Integer number = index.get(each);
      if (number != null && seenFor[number] != mark) {
        seenFor[number] = mark;
        numbers[size++] = number;
      }
    }
    return size == numbers.length ? numbers : Arrays.copyOf(numbers, size);
  }

  /** All nodes. */
  public List<N> nodes() {
    return nodes;
  }

  /** Waves: each holds nodes that depend on earlier waves only. Members of a cycle are in none. */
  public List<List<N>> levels() {
    List<List<N>> levels = new ArrayList<>();
    for (int[] level : indexLevels()) {
      levels.add(named(level));
    }
    return levels;
  }

  /** All nodes, dependencies first; without those on a cycle or behind one. */
  public List<N> sorted() {
    return levels().stream().flatMap(List::stream).toList();
  }

  /** A cycle as a path that ends where it began, or empty. */
  public Optional<List<N>> cycle() {
    return cycles(1).stream().findFirst();
  }

  /**
   * Up to {@code most} cycles that share no node, each as a path that ends where it began, and
   * begins with the node of it that was given first.
   */
  public List<List<N>> cycles(int most) {
    boolean[] done = new boolean[nodes.size()];
    List<List<N>> cycles = new ArrayList<>();
    int next = 0;
    while (cycles.size() < most) {
      drop(done);
      while (next < done.length && done[next]) {
        next++;
      }
      if (next == done.length) {
        return cycles;
      }
      int[] cycle = follow(next, done);
      Arrays.stream(cycle).forEach(node -> done[node] = true);
      List<N> path = new ArrayList<>(named(cycle));
      path.add(path.getFirst());
      cycles.add(path);
    }
    return cycles;
  }

  /** Marks every node as done that depends only on such nodes: what stays leads into a cycle. */
  private void drop(boolean[] done) {
    int[] open = new int[nodes.size()];
    int[] free = new int[nodes.size()];
    int size = 0;
    for (int node = 0; node < open.length; node++) {
      for (int dependency : dependencies[node]) {
        open[node] += done[dependency] ? 0 : 1;
      }
      if (!done[node] && open[node] == 0) {
        free[size++] = node;
      }
    }
    for (int i = 0; i < size; i++) {
      done[free[i]] = true;
      for (int dependent : dependents[free[i]]) {
        if (!done[dependent] && --open[dependent] == 0) {
          free[size++] = dependent;
        }
      }
    }
  }

  /** Each node that is not done depends on another such node: following them meets one twice. */
  private int[] follow(int from, boolean[] done) {
    int[] place = new int[nodes.size()];
    int[] path = new int[nodes.size()];
    int size = 0;
    int node = from;
    while (place[node] == 0) {
      path[size++] = node;
      place[node] = size;
      node = Arrays.stream(dependencies[node]).filter(i -> !done[i]).findFirst().orElseThrow();
    }
    int[] cycle = Arrays.copyOfRange(path, place[node] - 1, size);
    int first = Arrays.stream(cycle).min().orElseThrow();
    int[] rotated = new int[cycle.length];
    int shift = 0;
    while (cycle[shift] != first) {
      shift++;
    }
    for (int i = 0; i < cycle.length; i++) {
      rotated[i] = cycle[(i + shift) % cycle.length];
    }
    return rotated;
  }

  /** The chain with the greatest sum of weights, dependencies first. */
  public List<N> heaviestChain(ToLongFunction<N> weight) {
    long[] total = new long[nodes.size()];
    int[] before = new int[nodes.size()];
    int last = -1;
    for (int[] level : indexLevels()) {
      for (int node : level) {
        int heaviest = -1;
        for (int dependency : dependencies[node]) {
          if (total[dependency] > (heaviest < 0 ? 0 : total[heaviest])) {
            heaviest = dependency;
          }
        }
        before[node] = heaviest;
        total[node] =
            (heaviest < 0 ? 0 : total[heaviest]) + Math.max(0, weight.applyAsLong(nodes.get(node)));
        last = last < 0 || total[node] > total[last] ? node : last;
      }
    }
    List<N> chain = new ArrayList<>();
    for (int node = last; node >= 0; node = before[node]) {
      chain.add(nodes.get(node));
    }
    return chain.reversed();
  }

  /** Everything that these nodes depend on, directly and indirectly, with the nodes themselves. */
  public Set<N> dependencies(Collection<N> from) {
    return reach(from, dependencies);
  }

  /** Everything that depends on these nodes, directly and indirectly, with the nodes themselves. */
  public Set<N> dependents(Collection<N> from) {
    return reach(from, dependents);
  }

  private Set<N> reach(Collection<N> from, int[][] edges) {
    boolean[] seen = new boolean[nodes.size()];
    int[] open = new int[nodes.size()];
    int size = 0;
    for (N node : from) {
      Integer at = index.get(node);
      if (at != null && !seen[at]) {
        seen[at] = true;
        open[size++] = at;
      }
    }
    for (int next = 0; next < size; next++) {
      for (int target : edges[open[next]]) {
        if (!seen[target]) {
          seen[target] = true;
          open[size++] = target;
        }
      }
    }
    Set<N> reached = HashSet.newHashSet(size);
    for (int i = 0; i < size; i++) {
      reached.add(nodes.get(open[i]));
    }
    return reached;
  }

  private List<int[]> indexLevels() {
    int[] open = new int[nodes.size()];
    int[] level = new int[nodes.size()];
    int size = 0;
    for (int node = 0; node < open.length; node++) {
      open[node] = dependencies[node].length;
      if (open[node] == 0) {
        level[size++] = node;
      }
    }
    List<int[]> levels = new ArrayList<>();
    for (int[] done = Arrays.copyOf(level, size); done.length > 0; ) {
      levels.add(done);
      done = next(done, open);
    }
    return levels;
  }

  private int[] next(int[] done, int[] open) {
    int[] free = new int[16];
    int size = 0;
    for (int node : done) {
      for (int dependent : dependents[node]) {
        if (--open[dependent] == 0) {
          free = size == free.length ? Arrays.copyOf(free, 2 * size) : free;
          free[size++] = dependent;
        }
      }
    }
    int[] next = Arrays.copyOf(free, size);
    Arrays.sort(next);
    return next;
  }

  private static int[][] reversed(int[][] edges) {
    int[] counts = new int[edges.length];
    for (int[] targets : edges) {
      for (int target : targets) {
        counts[target]++;
      }
    }
    int[][] reversed = new int[edges.length][];
    Arrays.setAll(reversed, node -> new int[counts[node]]);
    for (int node = edges.length - 1; node >= 0; node--) {
      for (int target : edges[node]) {
        reversed[target][--counts[target]] = node;
      }
    }
    return reversed;
  }

  private List<N> named(int[] some) {
    List<N> named = new ArrayList<>(some.length);
    for (int node : some) {
      named.add(nodes.get(node));
    }
    return named;
  }
}
