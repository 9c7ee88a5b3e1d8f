package dev.slipway.applications.store;

import dev.slipway.applications.plan.Planned.Assignment;
import dev.slipway.applications.plan.WantedResource;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The shape that a revision asks for, before anything of it is real. */
final class GraphShapes {
  private GraphShapes() {}

  static Graph of(Prepared prepared, int revision) {
    ApplicationNodes ids = new ApplicationNodes(prepared.environment().name());
    String name = prepared.wanted().application();
    GraphBuilder graph = new GraphBuilder();
    ids.add(graph, new ApplicationNodes.Shown(name, null, null, revision));
    Map<String, NodeRef> nodes = new HashMap<>();
    for (WantedResource resource : prepared.wanted().resources()) {
      nodes.put(resource.name(), node(ids, resource));
    }
    for (Assignment assignment : prepared.planned().assignments()) {
      WantedResource wanted = assignment.wanted();
      NodeRef node = node(ids, wanted);
      Map<String, Object> details =
          Map.of(
              "type", wanted.type(),
              "identity", wanted.identity(),
              "change", assignment.item().change().text());
      graph.node(
          new Graph.Node(
              node,
              ApplicationNodes.RESOURCE.type(),
              wanted.name(),
              null,
              null,
              null,
              null,
              details));
      graph.edge(ids.spec(name), node, Relation.CONTAINS);
      wanted.dependsOn().stream()
          .map(nodes::get)
          .filter(Objects::nonNull)
          .forEach(needed -> graph.edge(node, needed, Relation.DEPENDS_ON));
      if (prepared.wanted().bound().contains(wanted.name())) {
        graph.edge(ids.spec(name), node, Relation.BINDS);
      }
      if (assignment.item().provider() != null) {
        graph.provider(assignment.item().provider(), node);
      }
    }
    return graph.build();
  }

  private static NodeRef node(ApplicationNodes ids, WantedResource resource) {
    return ids.resource(resource.identity());
  }
}
