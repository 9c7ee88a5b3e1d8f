package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Whether a Ceph cluster of Rook is ready, or reached when it is an external one. */
public record CephClusterRule(Warnings warnings) implements HealthRule {
  /** What {@code HEALTH_WARN} means. */
  public enum Warnings {
    /** Degraded. */
    COUNT,
    /** The same as {@code HEALTH_OK}: parameter {@code allowWarn} of the probe. */
    PASS
  }

  @Override
  public Optional<ObjectHealth> judge(LiveObject cluster, Neighbours others) {
    return Optional.of(health(cluster));
  }

  private ObjectHealth health(LiveObject cluster) {
    String phase = cluster.text("status", "phase");
    String ceph = cluster.text("status", "ceph", "health");
    String message = message(cluster, phase, ceph);
    boolean warned = ceph.equals("HEALTH_WARN");
    if (phase.equals("Failure") || ceph.equals("HEALTH_ERR")) {
      return ObjectHealth.degraded(message);
    }
    if (warned && warnings == Warnings.COUNT) {
      return ObjectHealth.degraded(message);
    }
    String ready = cluster.flag("spec", "external", "enable") ? "Connected" : "Ready";
    boolean good = ceph.equals("HEALTH_OK") || warned;
    return good && phase.equals(ready)
        ? ObjectHealth.healthy(message)
        : ObjectHealth.progressing(message);
  }

  private static String message(LiveObject cluster, String phase, String ceph) {
    String own = cluster.text("status", "message");
    String state = (phase + " " + ceph).strip();
    if (state.isEmpty()) {
      return own.isEmpty() ? "it has no status yet" : own;
    }
    return own.isEmpty() ? state : state + ": " + own;
  }
}
