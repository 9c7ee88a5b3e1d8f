package dev.slipway.applications.lifecycle;

import dev.slipway.engine.lifecycle.State;

/** How far a deployment is. */
public enum DeploymentStatus implements State {
  /** For an approval. */
  WAITING,
  RUNNING,
  COMPLETED,
  FAILED,
  /** A newer request took its place. */
  SUPERSEDED
}
