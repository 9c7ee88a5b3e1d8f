package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.ObjectHealth;

/** What rules about replicas say alike. */
final class Rollout {
  private Rollout() {}

  static ObjectHealth notObserved() {
    return ObjectHealth.progressing(
        "its controller has not seen the latest specification: observedGeneration is behind"
            + " generation");
  }

  static ObjectHealth waits(long there, long wanted, String what) {
    return ObjectHealth.progressing(there + " of " + wanted + " " + what);
  }
}
