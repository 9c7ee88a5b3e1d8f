package dev.slipway.engine.graph;

import dev.slipway.engine.graph.NodeKind.Scope;

/** The kinds of nodes that exist without any branch. */
public final class TrunkKinds {
  /** A provider, by its name. */
  public static final NodeKind PROVIDER = new NodeKind("provider", "provider", Scope.INSTALLATION);

  /** A run of a workflow, by its id. */
  public static final NodeKind RUN = new NodeKind("workflow", "workflow", Scope.INSTALLATION);

  /** A step of a run, by {@link #step}. */
  public static final NodeKind STEP = new NodeKind("step", "step", Scope.INSTALLATION);

  /** An environment, by its name. */
  public static final NodeKind ENVIRONMENT =
      new NodeKind("environment", "environment", Scope.INSTALLATION);

  /** A type of resource, which providers may compete for. */
  public static final NodeKind RESOURCE_TYPE =
      new NodeKind("type", "resource type", Scope.INSTALLATION);

  private TrunkKinds() {}

  /** Steps have names within their run only. */
  public static NodeRef step(String run, String name) {
    return STEP.ref(run + "/" + name);
  }
}
