package dev.slipway.kubernetes.health.builtin;

import dev.slipway.engine.health.Health;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Applications of Argo CD and Workflows of Argo Workflows. */
final class ArgoRules {
  private ArgoRules() {}

  /** What Argo CD says; whether that is of this revision is for the gate to decide. */
  static Optional<ObjectHealth> application(LiveObject object, Neighbours others) {
    String message = object.text("status", "health", "message");
    if (!object.has("status", "health", "status")) {
      return Optional.of(ObjectHealth.progressing(message));
    }
    String status = object.text("status", "health", "status");
    return Optional.of(
        Health.parse(status)
            .filter(known -> known != Health.FAILED)
            .map(known -> new ObjectHealth(known, message))
            .orElseGet(() -> ObjectHealth.unknown("Argo CD says '" + status + "'")));
  }

  static Optional<ObjectHealth> workflow(LiveObject object, Neighbours others) {
    String message = object.text("status", "message");
    return Optional.of(
        switch (object.text("status", "phase")) {
          case "", "Pending", "Running" -> ObjectHealth.progressing(message);
          case "Succeeded" -> ObjectHealth.healthy(message);
          case "Failed", "Error" -> ObjectHealth.degraded(message);
          default -> ObjectHealth.unknown(message);
        });
  }
}
