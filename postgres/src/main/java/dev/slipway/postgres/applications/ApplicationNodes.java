package dev.slipway.postgres.applications;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.graph.GraphBuilder;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeKind.Scope;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nodes of applications in one environment. */
record ApplicationNodes(String environment) {
  static final NodeKind APPLICATION = new NodeKind("application", "application", Scope.ENVIRONMENT);
  static final NodeKind SPEC = new NodeKind("spec", "spec", Scope.ENVIRONMENT);
  static final NodeKind RESOURCE = new NodeKind("resource", "resource", Scope.ENVIRONMENT);

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
        .node(shown.node(APPLICATION, application))
        .node(shown.node(SPEC, spec))
        .edge(application, spec, Relation.CONTAINS);
  }

  NodeRef application(String name) {
    return APPLICATION.ref(name, environment);
  }

  NodeRef spec(String name) {
    return SPEC.ref(name, environment);
  }

  /** By its place in a spec, or by its identity when it has one of its own. */
  NodeRef resource(String application, String name, String identity) {
    boolean own = identity.endsWith("#" + application + "." + name);
    return RESOURCE.ref(own ? application + ":" + name : identity, environment);
  }
}
