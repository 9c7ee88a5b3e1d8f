package dev.slipway.engine.graph;

import dev.slipway.engine.graph.NodeKind.Scope;

/** The kinds of nodes that exist without any branch. */
public final class TrunkKinds {
  /** A provider, by its name. */
  public static final NodeKind PROVIDER = new NodeKind("provider", "provider", Scope.INSTALLATION);

  /** A run of a workflow, by its id. */
  public static final NodeKind RUN = new NodeKind("workflow", "workflow", Scope.INSTALLATION);

  /** An environment, by its name. */
  public static final NodeKind ENVIRONMENT =
      new NodeKind("environment", "environment", Scope.INSTALLATION);

  /** A type of resource, which providers may compete for. */
  public static final NodeKind RESOURCE_TYPE =
      new NodeKind("type", "resource type", Scope.INSTALLATION);

  private TrunkKinds() {}
}
