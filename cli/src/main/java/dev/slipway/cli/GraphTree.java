package dev.slipway.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph as a tree of text: below a node is what it contains, requires or executes; what it
 * depends on is written behind it.
 */
record GraphTree(Screen screen) {
  private static final Set<String> DOWN = Set.of("contains", "requires");

  List<String> lines(Map<String, Object> graph) {
    Map<String, Map<String, Object>> nodes = new HashMap<>();
    Api.items(graph.get("nodes")).forEach(n -> nodes.put(String.valueOf(n.get("id")), n));
    List<Map<String, Object>> edges = Api.items(graph.get("edges"));
    List<String> lines = new ArrayList<>();
    Set<String> shown = new LinkedHashSet<>();
    roots(nodes, edges).forEach(id -> walk(id, "", "", nodes, edges, lines, shown));
    return lines;
  }

  /** The nodes that no edge leads down to; in a graph of cycles and dependences alone, all. */
  private static List<String> roots(
      Map<String, Map<String, Object>> nodes, List<Map<String, Object>> edges) {
    Set<String> below = new HashSet<>();
    edges.stream()
        .filter(
            e -> DOWN.contains(String.valueOf(e.get("type"))) || "executes".equals(e.get("type")))
        .forEach(e -> below.add(String.valueOf(e.get("to"))));
    return nodes.keySet().stream().filter(id -> !below.contains(id)).sorted().toList();
  }

  private void walk(
      String id,
      String head,
      String rest,
      Map<String, Map<String, Object>> nodes,
      List<Map<String, Object>> edges,
      List<String> lines,
      Set<String> shown) {
    Map<String, Object> node = nodes.getOrDefault(id, Map.of());
    boolean again = !shown.add(id);
    lines.add(
        head
            + label(id, node)
            + dependencies(id, edges)
            + (again ? screen.paint(Ink.DIM, " …") : ""));
    if (again) {
      return;
    }
    List<String> below = children(id, edges);
    for (int i = 0; i < below.size(); i++) {
      boolean last = i == below.size() - 1;
      walk(
          below.get(i),
          rest + (last ? "└─ " : "├─ "),
          rest + (last ? "   " : "│  "),
          nodes,
          edges,
          lines,
          shown);
    }
  }

  /** A provider executes runs for many nodes: those edges name one, and are no part of the tree. */
  private static List<String> children(String id, List<Map<String, Object>> edges) {
    return edges.stream()
        .filter(e -> id.equals(e.get("from")))
        .filter(
            e ->
                DOWN.contains(String.valueOf(e.get("type")))
                    || "executes".equals(e.get("type")) && e.get("resource") == null)
        .map(e -> String.valueOf(e.get("to")))
        .distinct()
        .sorted()
        .toList();
  }

  private String label(String id, Map<String, Object> node) {
    Object state = node.get("state");
    return id + (state == null ? "" : " " + screen.state(String.valueOf(state)));
  }

  private String dependencies(String id, List<Map<String, Object>> edges) {
    List<String> on =
        edges.stream()
            .filter(e -> id.equals(e.get("from")) && "depends-on".equals(e.get("type")))
            .map(e -> String.valueOf(e.get("to")))
            .sorted()
            .toList();
    return on.isEmpty() ? "" : screen.paint(Ink.DIM, " after " + String.join(", ", on));
  }
}
