package dev.slipway.kubernetes.health;

import java.util.Optional;

/** Judges objects of some kind. A pure function of what it is given. */
@FunctionalInterface
public interface HealthRule {
  /** Empty: the object has no health. */
  Optional<ObjectHealth> judge(LiveObject object, Neighbours others);
}
