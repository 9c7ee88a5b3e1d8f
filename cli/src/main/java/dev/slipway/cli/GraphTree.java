package dev.slipway.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A graph as a tree of text: below a node is what it contains, requires or executes; what it
 * depends on is written behind it. Its time grows with nodes and edges.
 */
final class GraphTree {
  private static final Set<String> DOWN = Set.of("contains", "requires");

  private final Screen screen;
  private final Map<String, Map<String, Object>> nodes = new TreeMap<>();
  private final Map<String, Set<String>> below = new HashMap<>();
  private final Map<String, List<String>> dependencies = new HashMap<>();
  private final Set<String> inner = new HashSet<>();
  private final Set<String> shown = new HashSet<>();
  private final List<String> lines = new ArrayList<>();

  private GraphTree(Screen screen, Map<String, Object> graph) {
    this.screen = screen;
    Api.items(graph.get("nodes")).forEach(n -> nodes.put(String.valueOf(n.get("id")), n));
    Api.items(graph.get("edges")).forEach(this::add);
  }

  static List<String> lines(Screen screen, Map<String, Object> graph) {
    GraphTree tree = new GraphTree(screen, graph);
    tree.roots().forEach(id -> tree.walk(id, "", ""));
    return tree.lines;
  }

  /** A provider executes runs for many nodes: those edges name one, and are no part of the tree. */
  private void add(Map<String, Object> edge) {
    String from = String.valueOf(edge.get("from"));
    String to = String.valueOf(edge.get("to"));
    String type = String.valueOf(edge.get("type"));
    boolean executes = type.equals("executes");
    if (DOWN.contains(type) || executes) {
      inner.add(to);
    }
    if (DOWN.contains(type) || executes && edge.get("resource") == null) {
      below.computeIfAbsent(from, _ -> new TreeSet<>()).add(to);
    }
    if (type.equals("depends-on")) {
      dependencies.computeIfAbsent(from, _ -> new ArrayList<>()).add(to);
    }
  }

  /** The nodes that no edge leads down to; in a graph of cycles and dependences alone, all. */
  private List<String> roots() {
    return nodes.keySet().stream().filter(id -> !inner.contains(id)).toList();
  }

  private void walk(String id, String head, String rest) {
    boolean again = !shown.add(id);
    lines.add(head + label(id) + after(id) + (again ? screen.paint(Ink.DIM, " …") : ""));
    if (again) {
      return;
    }
    List<String> children = List.copyOf(below.getOrDefault(id, Set.of()));
    for (int i = 0; i < children.size(); i++) {
      boolean last = i == children.size() - 1;
      walk(children.get(i), rest + (last ? "└─ " : "├─ "), rest + (last ? "   " : "│  "));
    }
  }

  private String label(String id) {
    Object state = nodes.getOrDefault(id, Map.of()).get("state");
    return id + (state == null ? "" : " " + screen.state(String.valueOf(state)));
  }

  private String after(String id) {
    List<String> on = dependencies.getOrDefault(id, List.of()).stream().sorted().toList();
    return on.isEmpty() ? "" : screen.paint(Ink.DIM, " after " + String.join(", ", on));
  }
}
