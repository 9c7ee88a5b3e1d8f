package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The graph of one application: its resources, runs and what they depend on. */
final class ApplicationGraph {
  private ApplicationGraph() {}

  static Graph of(Handle handle, ApplicationRow row) throws SQLException {
    KnownResources.Found found =
        KnownResources.seen(handle, row.id(), row.environment(), List.of());
    ApplicationNodes ids = new ApplicationNodes(row.environment());
    GraphBuilder graph = new GraphBuilder();
    ids.add(
        graph,
        new ApplicationNodes.Shown(
            row.name(), row.state().text(), row.updatedAt(), row.revision()));
    Map<UUID, KnownResource> shown = new LinkedHashMap<>();
    Set<UUID> used = Set.copyOf(found.names(row.id()).values());
    for (KnownResource resource : found.resources()) {
      boolean mine = resource.owner().equals(row.id()) && !resource.detached();
      if (resource.state() != ResourceState.DELETED && (mine || used.contains(resource.id()))) {
        shown.put(resource.id(), resource);
      }
    }
    Map<UUID, NodeRef> nodes = new HashMap<>();
    shown.forEach((id, resource) -> nodes.put(id, resource.health().node()));
    Map<UUID, Long> durations =
        new RunNodes(handle, graph).add(row.id(), ids.application(row.name()), nodes);
    for (KnownResource resource : shown.values()) {
      NodeRef node =
          Objects.requireNonNull(nodes.get(resource.id()), "each resource shown has a node");
      graph.node(observed(node(node, resource, durations), resource.health().observed()));
      graph.edge(ids.spec(row.name()), node, Relation.CONTAINS);
      edges(graph, node, resource, nodes);
    }
    found.uses().stream()
        .filter(u -> u.application().equals(row.id()) && u.bound())
        .map(u -> nodes.get(u.resource()))
        .filter(Objects::nonNull)
        .forEach(node -> graph.edge(ids.spec(row.name()), node, Relation.BINDS));
    return graph.build();
  }

  /** With what the looks at it say; what was never looked at is Unknown. */
  static Node observed(Node node, Optional<Observation> known) {
    Map<String, Object> details = new LinkedHashMap<>(node.details());
    known.ifPresent(
        o -> {
          details.put("healthSince", o.since().toString());
          details.put("sampledAt", o.sample().at().toString());
          details.put("healthMessage", o.sample().message());
        });
    return new Node(
        node.ref(),
        node.type(),
        node.name(),
        node.state(),
        known.map(o -> o.sample().health()).orElse(Health.UNKNOWN).text(),
        node.since(),
        node.durationMs(),
        details);
  }

  private static Node node(NodeRef node, KnownResource resource, Map<UUID, Long> durations) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("resourceId", resource.id().toString());
    details.put("type", resource.type());
    details.put("identity", resource.identity());
    details.put("incarnation", (long) resource.incarnation());
    if (resource.reason() != null) {
      details.put("reason", resource.reason());
    }
    return new Node(
        node,
        ApplicationNodes.RESOURCE.type(),
        resource.name(),
        resource.state().text(),
        null,
        resource.since(),
        durations.get(resource.id()),
        details);
  }

  private static void edges(
      GraphBuilder graph, NodeRef node, KnownResource resource, Map<UUID, NodeRef> nodes) {
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      NodeRef needed = nodes.get(dependency.on());
      if (needed != null) {
        graph.edge(node, needed, Relation.DEPENDS_ON);
      }
    }
    if (resource.provider() != null) {
      graph.provider(resource.provider(), node);
    }
  }
}
