package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Services and Ingresses: whether those that need an address have one. */
final class NetworkRules {
  private static final String WAITS = "it has no address yet";

  private NetworkRules() {}

  static Optional<ObjectHealth> service(LiveObject object, Neighbours others) {
    boolean needsAddress = object.text("spec", "type").equals("LoadBalancer");
    return Optional.of(
        needsAddress && !hasAddress(object)
            ? ObjectHealth.progressing(WAITS)
            : ObjectHealth.healthy(""));
  }

  static Optional<ObjectHealth> ingress(LiveObject object, Neighbours others) {
    return Optional.of(
        hasAddress(object) ? ObjectHealth.healthy("") : ObjectHealth.progressing(WAITS));
  }

  private static boolean hasAddress(LiveObject object) {
    return !object.list("status", "loadBalancer", "ingress").isEmpty();
  }
}
