package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a kept plan is about, before anything of it is real. What is not an item of it is not drawn.
 */
public final class PlanGraph {
  private final List<Map<String, Object>> items;
  private final Map<String, List<Map<String, Object>>> byName = new HashMap<>();
  private final ApplicationRefs refs;
  private final GraphBuilder graph = new GraphBuilder();

  private PlanGraph(Map<String, Object> plan) {
    this.items =
        ((List<?>) plan.getOrDefault("items", List.of())).stream().map(Values::map).toList();
    this.refs =
        new ApplicationRefs(
            String.valueOf(plan.get("application")), String.valueOf(plan.get("environment")));
    items.forEach(
        item ->
            byName
                .computeIfAbsent(String.valueOf(item.get("name")), _ -> new ArrayList<>())
                .add(item));
  }

  /** Of a plan as the API shows it. */
  public static Graph of(Map<String, Object> plan) {
    PlanGraph graph = new PlanGraph(plan);
    graph.application();
    graph.items.forEach(graph::add);
    return graph.graph.build();
  }

  private void application() {
    graph
        .node(node(ApplicationRefs.APPLICATION.type(), refs.application(), refs.name(), Map.of()))
        .node(node(ApplicationRefs.SPEC.type(), refs.spec(), refs.name(), Map.of()))
        .edge(refs.application(), refs.spec(), Relation.CONTAINS);
  }

  private void add(Map<String, Object> item) {
    NodeRef node = ref(item);
    Map<String, Object> details = new LinkedHashMap<>();
    for (String field : List.of("type", "identity", "change", "note")) {
      if (item.get(field) != null) {
        details.put(field, item.get(field));
      }
    }
    graph.node(
        node(ApplicationRefs.RESOURCE.type(), node, String.valueOf(item.get("name")), details));
    graph.edge(refs.spec(), node, Relation.CONTAINS);
    if (item.get("dependsOnNodes") instanceof List<?> nodes) {
      nodes.forEach(
          on ->
              NodeRef.parse(String.valueOf(on))
                  .ifPresent(ref -> graph.edge(node, ref, Relation.DEPENDS_ON)));
    } else if (item.get("dependsOn") instanceof List<?> names) {
      names.forEach(name -> dependsOnName(item, String.valueOf(name)));
    }
    if (item.get("provider") instanceof String provider) {
      graph.provider(provider, node);
    }
  }

  /**
   * In a plan that a release before has stored, which names no nodes. Two items have one name while
   * a resource of another type takes the place of one.
   */
  private void dependsOnName(Map<String, Object> item, String name) {
    List<Map<String, Object>> named = byName.getOrDefault(name, List.of());
    List<Map<String, Object>> alike =
        named.stream().filter(each -> goes(each) == goes(item)).toList();
    (alike.isEmpty() ? named : alike)
        .forEach(each -> graph.edge(ref(item), ref(each), Relation.DEPENDS_ON));
  }

  private static boolean goes(Map<String, Object> item) {
    return Objects.equals(item.get("change"), Change.DELETE.text());
  }

  private NodeRef ref(Map<String, Object> item) {
    return refs.resource(String.valueOf(item.get("identity")));
  }

  private static Node node(String type, NodeRef ref, String name, Map<String, Object> details) {
    return new Node(ref, type, name, null, null, null, null, details);
  }
}
