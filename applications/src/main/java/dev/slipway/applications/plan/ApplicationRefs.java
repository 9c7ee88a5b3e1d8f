package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeKind.Scope;
import dev.slipway.engine.graph.NodeRef;

/** Names the nodes of one application. */
public record ApplicationRefs(String name, String environment) {
  public static final NodeKind APPLICATION =
      new NodeKind("application", "application", Scope.ENVIRONMENT);
  public static final NodeKind SPEC = new NodeKind("spec", "spec", Scope.ENVIRONMENT);
  public static final NodeKind RESOURCE = new NodeKind("resource", "resource", Scope.ENVIRONMENT);

  public NodeRef application() {
    return APPLICATION.ref(name, environment);
  }

  public NodeRef spec() {
    return SPEC.ref(name, environment);
  }

  /** By its place in the spec, or by its identity when it has one of its own. */
  public NodeRef resource(String resource, String identity) {
    boolean own = identity.endsWith("#" + name + "." + resource);
    return RESOURCE.ref(own ? name + ":" + resource : identity, environment);
  }
}
