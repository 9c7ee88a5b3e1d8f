package dev.slipway.kubernetes.workload;

import dev.slipway.engine.graph.Dag;
import dev.slipway.kubernetes.apply.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which containers of a pod start before others. Kubernetes starts init containers one after the
 * other: one that has to complete is an init container, one that has to run is a sidecar.
 *
 * @param first in the order in which they start, with how far each has to be
 * @param together those that no other one waits for
 */
record StartOrder(Map<String, Ready> first, List<String> together) {
  /** How far a container has to be before the next one starts. */
  enum Ready {
    STARTED,
    HEALTHY,
    COMPLETE
  }

  static StartOrder of(SortedMap<String, Part> containers) throws RefusedException {
    SortedMap<String, Ready> awaited = new TreeMap<>();
    Map<String, Set<String>> needs = new TreeMap<>();
    containers.keySet().forEach(name -> needs.put(name, new TreeSet<>()));
    for (var container : containers.entrySet()) {
      for (var before : container.getValue().parts("before").entrySet()) {
        Set<String> later = needs.get(before.getKey());
        if (later == null) {
          throw container.getValue().wrong("before", "names no container of the workload");
        }
        later.add(container.getKey());
        awaited.merge(container.getKey(), ready(before.getValue()), StartOrder::later);
      }
    }
    Dag<String> order = Dag.of(needs);
    if (order.cycle().isPresent()) {
      throw Part.refused("containers", "wait for each other: " + order.cycle().get());
    }
    Map<String, Ready> first = new LinkedHashMap<>();
    List<String> together = new ArrayList<>(containers.keySet());
    order.sorted().stream()
        .filter(awaited::containsKey)
        .forEach(name -> first.put(name, awaited.get(name)));
    together.removeAll(first.keySet());
    return new StartOrder(first, together);
  }

  private static Ready ready(Part before) throws RefusedException {
    return switch (before.required("ready")) {
      case "started" -> Ready.STARTED;
      case "healthy" -> Ready.HEALTHY;
      case "complete" -> Ready.COMPLETE;
      case String _ -> throw before.wrong("ready", "has to be started, healthy or complete");
    };
  }

  private static Ready later(Ready one, Ready other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
