package dev.slipway.engine.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * What comes after what. Nodes are names; an edge goes from a dependent to its dependency. Edges to
 * names that are not nodes do not count. Every answer is sorted, so that it is the same each time.
 */
public final class Order {
  private final Map<String, Set<String>> needs = new TreeMap<>();

  /** Of these nodes and what each depends on. */
  public Order(Map<String, ? extends Collection<String>> dependencies) {
    dependencies.forEach(
        (node, on) -> {
          Set<String> known = new TreeSet<>(on);
          known.retainAll(dependencies.keySet());
          needs.put(node, known);
        });
  }

  private Set<String> dependencies(String node) {
    return needs.getOrDefault(node, Set.of());
  }

  /** Levels: each holds what depends on earlier ones only. Members of a cycle are in none. */
  public List<List<String>> levels() {
    Map<String, Integer> open = new HashMap<>();
    Map<String, List<String>> dependents = new HashMap<>();
    needs.forEach(
        (node, on) -> {
          open.put(node, on.size());
          on.forEach(d -> dependents.computeIfAbsent(d, k -> new ArrayList<>()).add(node));
        });
    List<List<String>> levels = new ArrayList<>();
    List<String> level =
        needs.keySet().stream().filter(n -> open.getOrDefault(n, 0) == 0).sorted().toList();
    while (!level.isEmpty()) {
      levels.add(level);
      Set<String> next = new TreeSet<>();
      for (String done : level) {
        for (String dependent : dependents.getOrDefault(done, List.of())) {
          if (open.merge(dependent, -1, Integer::sum) == 0) {
            next.add(dependent);
          }
        }
      }
      level = List.copyOf(next);
    }
    return levels;
  }

  /** All nodes, dependencies first. */
  public List<String> sorted() {
    return levels().stream().flatMap(List::stream).toList();
  }

  /** A cycle as a path that ends where it began, or empty. */
  public Optional<List<String>> cycle() {
    Set<String> left = new TreeSet<>(needs.keySet());
    sorted().forEach(left::remove);
    if (left.isEmpty()) {
      return Optional.empty();
    }
    // Everything left over leads into a cycle: walking along dependencies must meet itself.
    Map<String, Integer> seen = new HashMap<>();
    List<String> path = new ArrayList<>();
    String node = left.iterator().next();
    while (seen.putIfAbsent(node, path.size()) == null) {
      path.add(node);
      node = dependencies(node).stream().filter(left::contains).findFirst().orElseThrow();
    }
    List<String> cycle = new ArrayList<>(path.subList(seen.get(node), path.size()));
    cycle.add(node);
    return Optional.of(cycle);
  }

  /** The chain with the greatest sum of weights, dependencies first. */
  public List<String> heaviestChain(ToLongFunction<String> weight) {
    Map<String, Long> total = new HashMap<>();
    Map<String, String> before = new HashMap<>();
    String last = null;
    long greatest = 0;
    for (String node : sorted()) {
      long heaviest = 0;
      for (String dependency : dependencies(node)) {
        long sum = total.getOrDefault(dependency, 0L);
        if (sum > heaviest) {
          heaviest = sum;
          before.put(node, dependency);
        }
      }
      long sum = heaviest + Math.max(0, weight.applyAsLong(node));
      total.put(node, sum);
      if (last == null || sum > greatest) {
        last = node;
        greatest = sum;
      }
    }
    Deque<String> chain = new ArrayDeque<>();
    for (String node = last; node != null; node = before.get(node)) {
      chain.addFirst(node);
    }
    return List.copyOf(chain);
  }

  /** Everything that a node leads to along dependencies, without itself. */
  public Set<String> reachable(String from) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(dependencies(from));
    while (!open.isEmpty()) {
      String node = open.removeFirst();
      if (seen.add(node)) {
        open.addAll(dependencies(node));
      }
    }
    return new TreeSet<>(seen);
  }
}
