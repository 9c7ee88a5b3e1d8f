package dev.slipway.engine.execute;

import java.util.Map;
import java.util.Optional;

/**
 * The root of a tree of runs that make each other. A run names its parent; from the second level
 * down, its context also names the root. A run whose subject has a root needs no such name.
 */
public final class RootRun {
  private static final String KEY = "rootRun";

  private RootRun() {}

  /** Names it in the context of a run that {@code maker} makes. */
  static void handOn(ClaimedRun maker, Map<String, Object> context) {
    if (maker.kind().belongsToAnother()
        && maker.parent() != null
        && maker.subject().root() == null) {
      context.putIfAbsent(KEY, maker.parent().toString());
    }
  }

  /** What the context of a run names; empty: the run that made it, or itself. */
  public static Optional<String> named(NewRun.Inputs inputs) {
    return inputs.context().get(KEY) instanceof String id ? Optional.of(id) : Optional.empty();
  }
}
