package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes of applications in one environment. */
record ApplicationNodes(String environment) {
  static final NodeKind RESOURCE = ApplicationRefs.RESOURCE;

  /** An application as a graph shows it. */
  record Shown(String name, @Nullable String state, @Nullable Instant since, int revision) {
    private Node node(NodeKind kind, NodeRef ref) {
      return new Node(
          ref, kind.type(), name, state, null, since, null, Map.of("revision", (long) revision));
    }
  }

  /** Adds an application and its spec. */
  void add(GraphBuilder graph, Shown shown) {
    NodeRef application = application(shown.name());
    NodeRef spec = spec(shown.name());
    graph
        .node(shown.node(ApplicationRefs.APPLICATION, application))
        .node(shown.node(ApplicationRefs.SPEC, spec))
        .edge(application, spec, Relation.CONTAINS);
  }

  NodeRef application(String name) {
    return new ApplicationRefs(name, environment).application();
  }

  NodeRef spec(String name) {
    return new ApplicationRefs(name, environment).spec();
  }

  NodeRef resource(String identity) {
    return RESOURCE.ref(identity, environment);
  }
}
