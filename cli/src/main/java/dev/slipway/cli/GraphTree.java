package dev.slipway.cli;

import dev.slipway.cli.Screen.Ink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph as a tree of text: application, spec, resources with what they depend on, provider, runs.
 */
final class GraphTree {
  private final Screen screen;

  GraphTree(Screen screen) {
    this.screen = screen;
  }

  List<String> lines(Map<String, Object> graph) {
    Map<String, Map<String, Object>> nodes = new HashMap<>();
    Api.items(graph.get("nodes")).forEach(n -> nodes.put(String.valueOf(n.get("id")), n));
    List<Map<String, Object>> edges = Api.items(graph.get("edges"));
    List<String> lines = new ArrayList<>();
    Set<String> shown = new LinkedHashSet<>();
    roots(nodes, edges).forEach(id -> walk(id, "", "", nodes, edges, lines, shown));
    return lines;
  }

  /** Applications; in a graph without one, the nodes that no edge leads to. */
  private static List<String> roots(
      Map<String, Map<String, Object>> nodes, List<Map<String, Object>> edges) {
    List<String> applications =
        nodes.keySet().stream()
            .filter(id -> "application".equals(nodes.getOrDefault(id, Map.of()).get("type")))
            .toList();
    return applications.isEmpty()
        ? nodes.keySet().stream()
            .filter(id -> edges.stream().noneMatch(e -> id.equals(e.get("to"))))
            .sorted()
            .toList()
        : applications;
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
    List<String> below = children(id, node, edges);
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

  private static List<String> children(
      String id, Map<String, Object> node, List<Map<String, Object>> edges) {
    List<String> types =
        "resource".equals(node.get("type")) ? List.of("requires") : List.of("contains");
    return edges.stream()
        .filter(e -> id.equals(e.get("from")) && types.contains(e.get("type")))
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
