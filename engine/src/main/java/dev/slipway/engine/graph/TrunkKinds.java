package dev.slipway.engine.graph;

import dev.slipway.engine.graph.NodeKind.Scope;

/** The kinds of nodes that exist without any branch. */
public final class TrunkKinds {
  /** A provider, by its name. */
  public static final NodeKind PROVIDER = new NodeKind("provider", "provider", Scope.INSTALLATION);

  /** A run of a workflow, by its id. */
  public static final NodeKind RUN = new NodeKind("workflow", "workflow", Scope.INSTALLATION);

  private TrunkKinds() {}
}
