package dev.slipway.applications.lifecycle;

import dev.slipway.engine.lifecycle.State;

/**
 * Where a resource is in its life; applications use the same words, derived from their resources.
 */
public enum ResourceState implements State {
  REQUESTED,
  PROVISIONING,
  ACTIVE,
  UPDATING,
  DEGRADED,
  FAILED,
  DEPROVISIONING,
  DELETED
}
