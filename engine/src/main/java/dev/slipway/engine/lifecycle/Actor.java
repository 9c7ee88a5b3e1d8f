package dev.slipway.engine.lifecycle;

/** Who triggers a transition. */
public enum Actor {
  INTAKE,
  ENGINE,
  USER,
  OBSERVER,
  REGISTRY,
  TTL
}
