package dev.slipway.server.api;

import dev.slipway.engine.graph.ExplainWalk;
import dev.slipway.engine.graph.ExplainWalk.Entry;
import dev.slipway.engine.graph.ExplainWalk.Found;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.postgres.nodes.NodeSources;
import dev.slipway.web.Problem;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;

/**
 * Why a node is not what was asked for, whatever its kind: asks the sources of all branches, and
 * shows of the nodes of other teams only that there are some.
 */
public final class NodeExplanations {
  /** More nodes are a picture, not an explanation. */
  static final int MOST = 1_000;

  private static final String OTHER_TEAM = "a node of another team";

  private final NodeSources sources;
  private final Jdbi jdbi;

  public NodeExplanations(NodeSources sources, Jdbi jdbi) {
    this.sources = sources;
    this.jdbi = jdbi;
  }

  /**
   * What a walk found for one caller.
   *
   * @param hidden nodes on the way that belong to teams of which the caller may see nothing
   */
  record Seen(Found found, Set<NodeRef> hidden) {

    /** Without what the caller may not see. */
    List<Entry> entries() {
      return found.entries().stream().filter(entry -> !hidden.contains(entry.node())).toList();
    }
  }

  /** Walks from the node; 404 if it does not exist for the caller. */
  Seen walk(Identity caller, NodeRef node) {
    Set<NodeRef> hidden = new HashSet<>();
    Optional<Found> found =
        jdbi.inTransaction(
            tx ->
                ExplainWalk.from(
                    node,
                    MOST,
                    refs -> {
                      Map<NodeRef, NodeView> views = new HashMap<>(sources.find(tx, refs));
                      views.values().stream()
                          .filter(view -> !sees(caller, view))
                          .map(NodeView::node)
                          .forEach(hidden::add);
                      views.keySet().removeAll(hidden);
                      return views;
                    }));
    return found
        .map(walked -> new Seen(walked, hidden))
        .orElseThrow(() -> Problem.notFound("node", node.text()).exception());
  }

  private static boolean sees(Identity caller, NodeView view) {
    return view.team().map(team -> caller.may(Action.READ, team)).orElse(true);
  }

  /** Schema {@code NodeExplanation}. */
  Map<String, Object> view(Seen seen) {
    NodeView of = seen.found().of();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("node", of.node());
    out.put("state", of.state());
    out.put("summary", summary(seen));
    out.put("entries", seen.entries().stream().map(entry -> entry(seen, entry)).toList());
    if (!seen.found().cycle().isEmpty()) {
      out.put("cycle", seen.found().cycle());
    }
    out.put("commands", commands(seen));
    out.put("whole", seen.found().whole());
    return out;
  }

  private static String summary(Seen seen) {
    NodeView of = seen.found().of();
    String is = of.node().text() + " is " + of.state();
    List<Entry> entries = seen.entries();
    if (entries.isEmpty()) {
      return is + "; nothing is in its way";
    }
    Entry first = entries.getFirst();
    String whose = first.node().equals(of.node()) ? "" : first.node().text() + " ";
    String more = entries.size() == 1 ? "" : " (and " + (entries.size() - 1) + " more)";
    return is + ": " + whose + why(seen, first) + more;
  }

  private static Map<String, Object> entry(Seen seen, Entry entry) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("node", entry.node());
    out.put("subject", entry.node().text());
    out.put("state", entry.view().map(NodeView::state).orElse("unknown"));
    Optional<Why> why = entry.view().flatMap(NodeView::why);
    why.flatMap(Why::since).ifPresent(since -> out.put("since", since));
    out.put("why", why(seen, entry));
    out.put("blockedBy", blockers(seen, entry));
    why.flatMap(Why::command).ifPresent(command -> out.put("command", command));
    return out;
  }

  static String why(Seen seen, Entry entry) {
    if (entry.view().isEmpty()) {
      return "is not known to this server";
    }
    NodeView view = entry.view().get();
    List<String> blockers = blockers(seen, entry);
    return view.why()
        .map(Why::text)
        .orElseGet(
            () ->
                blockers.isEmpty()
                    ? "is " + view.state()
                    : "waits for " + String.join(", ", blockers));
  }

  private static List<String> blockers(Seen seen, Entry entry) {
    return entry.blockedBy().stream()
        .map(ref -> seen.hidden().contains(ref) ? OTHER_TEAM : ref.text())
        .distinct()
        .toList();
  }

  private static Set<String> commands(Seen seen) {
    return seen.entries().stream()
        .flatMap(entry -> entry.view().flatMap(NodeView::why).flatMap(Why::command).stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
