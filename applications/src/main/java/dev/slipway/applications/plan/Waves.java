package dev.slipway.applications.plan;

import dev.slipway.applications.plan.Planned.Removal;
import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.plan.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The order in which the changes of a plan happen: first up the graph, then removals back down. */
final class Waves {
  private final Dag<String> order;
  private final Map<String, Plan.Item> changing = new TreeMap<>();
  private final List<Removal> removed;

  Waves(Dag<String> order, List<Plan.Item> items, List<Removal> removed) {
    this.order = order;
    this.removed = removed;
    items.stream()
        .filter(i -> i.change() != Change.NO_OP && i.change() != Change.DELETE)
        .forEach(i -> changing.put(i.name(), i));
  }

  List<List<String>> all() {
    List<List<String>> waves = new ArrayList<>();
    for (List<String> level : order.levels()) {
      add(waves, level.stream().filter(changing::containsKey).toList());
    }
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Removal removal : removed) {
      if (removal.item().change() == Change.DELETE) {
        needs.put(removal.item().name(), Set.copyOf(removal.item().dependsOn()));
      }
    }
    Dag.of(needs).levels().reversed().forEach(level -> add(waves, level));
    return waves;
  }

  List<String> criticalPath(ToLongFunction<String> weight) {
    List<String> chain =
        order.heaviestChain(name -> changing.containsKey(name) ? weight.applyAsLong(name) : 0);
    return chain.stream().filter(changing::containsKey).collect(Collectors.toList());
  }

  private static void add(List<List<String>> waves, List<String> wave) {
    if (!wave.isEmpty()) {
      waves.add(wave);
    }
  }
}
