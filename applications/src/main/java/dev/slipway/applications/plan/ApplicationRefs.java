package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeKind.Scope;
import dev.slipway.engine.graph.NodeRef;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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

  /**
   * By its identity, type and class included: while a resource of another type takes the place of
   * one, both live under one name, and they are two nodes.
   */
  public NodeRef resource(String identity) {
    return RESOURCE.ref(identity, environment);
  }

  /**
   * The one of these nodes that releases up to schema 12 called so: {@code resource:shop:db}. Empty
   * if that is said of none of them, or of several.
   */
  public static Optional<NodeRef> ofOldName(NodeRef old, Collection<NodeRef> nodes) {
    String end = "#" + old.name().replaceFirst(":", ".");
    List<NodeRef> meant =
        nodes.stream()
            .filter(node -> old.is(RESOURCE) && node.is(RESOURCE))
            .filter(node -> node.environment().equals(old.environment()))
            .filter(node -> node.name().endsWith(end))
            .toList();
    return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
  }
}
