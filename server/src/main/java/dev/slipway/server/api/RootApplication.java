package dev.slipway.server.api;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.RootColumn;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code application} of views, which is older than {@code root} and says less: the name
 * of a root that is an application.
 */
final class RootApplication {
  private RootApplication() {}

  static @Nullable String of(@Nullable NodeRef root) {
    return root == null || !root.prefix().equals(RootColumn.NAME) ? null : root.name();
  }
}
