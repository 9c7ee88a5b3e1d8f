package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Kinds whose phase says it all. */
final class PhaseRules {
  private PhaseRules() {}

  static Optional<ObjectHealth> claim(LiveObject object, Neighbours others) {
    String phase = object.text("status", "phase");
    return Optional.of(
        switch (phase) {
          case "Bound" -> ObjectHealth.healthy("");
          case "Pending" -> ObjectHealth.progressing("no volume is bound to it yet");
          case "Lost" -> ObjectHealth.degraded("its volume is lost");
          default -> unknown(phase);
        });
  }

  static Optional<ObjectHealth> namespace(LiveObject object, Neighbours others) {
    String phase = object.text("status", "phase");
    return Optional.of(
        switch (phase) {
          case "Active" -> ObjectHealth.healthy("");
          case "Terminating" -> ObjectHealth.progressing("it is being deleted");
          default -> unknown(phase);
        });
  }

  private static ObjectHealth unknown(String phase) {
    return ObjectHealth.unknown(phase.isEmpty() ? "it has no phase yet" : "its phase is " + phase);
  }
}
