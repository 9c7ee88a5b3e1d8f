package dev.slipway.kubernetes.health;

import java.util.Optional;

/** Other objects that a rule may look at, read at the same time as the judged one. */
@FunctionalInterface
public interface Neighbours {
  /** Knows no other object. */
  Neighbours NONE = (kind, namespace, name) -> Optional.empty();

  Optional<LiveObject> find(GroupKind kind, String namespace, String name);
}
