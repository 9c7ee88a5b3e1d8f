package dev.slipway.postgres;

import dev.slipway.engine.graph.NodeRef;
import org.jspecify.annotations.Nullable;

/**
 * The column of runs, events and approvals that names their root. It is called after the kind of
 * root that had it to itself: one of that kind is stored by its bare name, as replicas of schema 12
 * read and write it and as indexes have it, and every other root by its canonical text.
 */
public final class RootColumn {
  /** The column, and the prefix of the kind that is stored without it. */
  public static final String NAME = "application";

  private RootColumn() {}

  /** As stored. */
  public static @Nullable String text(@Nullable NodeRef root) {
    if (root == null) {
      return null;
    }
    return root.prefix().equals(NAME) ? root.name() : root.text();
  }

  /** What a row in that environment has stored; no name of the bare kind has a colon. */
  public static @Nullable NodeRef ref(@Nullable String stored, @Nullable String environment) {
    if (stored == null) {
      return null;
    }
    return NodeRef.parse(stored)
        .orElseGet(
            () ->
                new NodeRef(
                    NAME, stored, environment == null ? NodeRef.DEFAULT_ENVIRONMENT : environment));
  }
}
