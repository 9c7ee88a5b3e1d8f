package dev.slipway.applications.plan;

import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.plan.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The order in which the changes of a plan happen: first up the graph, then removals back down. By
 * node, because the resource that replaces one of another type has the name of that one.
 */
final class Waves {
  private final Dag<NodeRef> wanted;
  private final Dag<NodeRef> removed;
  private final Set<NodeRef> changing;

  /** Both sorted by name, so that the members of a wave are. */
  Waves(List<Plan.Item> wanted, List<Plan.Item> removed) {
    this.wanted = order(wanted);
    this.removed = order(removed.stream().filter(i -> i.change() == Change.DELETE).toList());
    this.changing =
        wanted.stream()
            .filter(i -> i.change() != Change.NO_OP)
            .map(Plan.Item::node)
            .collect(Collectors.toSet());
  }

  private static Dag<NodeRef> order(List<Plan.Item> items) {
    Map<NodeRef, List<NodeRef>> needs = new LinkedHashMap<>();
    items.forEach(item -> needs.put(item.node(), item.dependencyNodes()));
    return Dag.of(needs);
  }

  List<List<NodeRef>> all() {
    List<List<NodeRef>> waves = new ArrayList<>();
    for (List<NodeRef> level : wanted.levels()) {
      List<NodeRef> wave = level.stream().filter(changing::contains).toList();
      if (!wave.isEmpty()) {
        waves.add(wave);
      }
    }
    waves.addAll(removed.levels().reversed());
    return waves;
  }

  /** The longest chain of changes that wait for each other. */
  List<NodeRef> criticalPath() {
    return wanted.heaviestChain(node -> changing.contains(node) ? 1 : 0).stream()
        .filter(changing::contains)
        .toList();
  }
}
