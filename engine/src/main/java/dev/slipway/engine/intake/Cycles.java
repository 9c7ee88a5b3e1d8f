package dev.slipway.engine.intake;

import dev.slipway.engine.graph.Dag;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Cycles as messages show them, in order of names, so that the same graph gives the same answer.
 */
public final class Cycles {
  /** More than these are not looked for: fixing the first ones changes the rest anyway. */
  private static final int MOST = 20;

  private static final int LONGEST = 12;

  private Cycles() {}

  /**
   * Separate cycles of a graph, each as its nodes in order, starting with the smallest name and
   * without repeating it at the end. Edges to unknown nodes are ignored.
   */
  public static List<List<String>> in(Map<String, ? extends Collection<String>> edges) {
    Map<String, TreeSet<String>> sorted = new TreeMap<>();
    edges.forEach((node, targets) -> sorted.put(node, new TreeSet<>(targets)));
    return Dag.of(sorted).cycles(MOST).stream()
        .map(cycle -> cycle.subList(0, cycle.size() - 1))
        .toList();
  }

  /** {@code a -> b -> a}; a very long one is shown by its ends. */
  public static String print(List<String> cycle) {
    int shown = cycle.size() <= LONGEST ? cycle.size() : LONGEST;
    String start = String.join(" -> ", cycle.subList(0, shown));
    String left = shown == cycle.size() ? "" : " -> ... (" + (cycle.size() - shown) + " more)";
    return start + left + " -> " + cycle.getFirst();
  }
}
