package dev.slipway.engine.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds what waits for itself. Works without recursion, so that a chain of thousands is no danger,
 * and in order of names, so that the same graph gives the same answer.
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
    var left = new TreeMap<String, TreeSet<String>>();
    edges.forEach(
        (node, targets) -> {
          var known = new TreeSet<>(targets);
          known.retainAll(edges.keySet());
          left.put(node, known);
        });
    var cycles = new ArrayList<List<String>>();
    dropFinished(left);
    while (!left.isEmpty() && cycles.size() < MOST) {
      List<String> cycle = follow(left);
      cycles.add(cycle);
      cycle.forEach(left::remove);
      left.values().forEach(targets -> targets.removeAll(cycle));
      dropFinished(left);
    }
    return cycles;
  }

  /** {@code a -> b -> a}; a very long one is shown by its ends. */
  public static String print(List<String> cycle) {
    int shown = cycle.size() <= LONGEST ? cycle.size() : LONGEST;
    String start = String.join(" -> ", cycle.subList(0, shown));
    String left = shown == cycle.size() ? "" : " -> ... (" + (cycle.size() - shown) + " more)";
    return start + left + " -> " + cycle.getFirst();
  }

  /**
   * Removes every node that waits for nothing, until only nodes that can reach a cycle are left.
   */
  private static void dropFinished(TreeMap<String, TreeSet<String>> left) {
    var waiting = new TreeMap<String, List<String>>();
    left.forEach(
        (node, targets) ->
            targets.forEach(t -> waiting.computeIfAbsent(t, _ -> new ArrayList<>()).add(node)));
    var free = new ArrayList<String>();
    left.forEach(
        (node, targets) -> {
          if (targets.isEmpty()) {
            free.add(node);
          }
        });
    while (!free.isEmpty()) {
      String done = free.removeLast();
      left.remove(done);
      for (String node : waiting.getOrDefault(done, List.of())) {
        TreeSet<String> targets = left.get(node);
        if (targets != null && targets.remove(done) && targets.isEmpty()) {
          free.add(node);
        }
      }
    }
  }

  /** Every node left has a target left: walking on must come back to somewhere. */
  private static List<String> follow(TreeMap<String, TreeSet<String>> left) {
    var walked = new LinkedHashSet<String>();
    String here = left.firstKey();
    while (walked.add(here)) {
      TreeSet<String> targets =
          Objects.requireNonNull(left.get(here), "targets that are no nodes were removed before");
      here = targets.first();
    }
    var path = new ArrayList<>(walked);
    var cycle = new ArrayList<>(path.subList(path.indexOf(here), path.size()));
    Collections.rotate(cycle, -cycle.indexOf(Collections.min(cycle)));
    return cycle;
  }
}
