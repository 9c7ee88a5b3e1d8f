package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import java.util.Map;
import java.util.Objects;

/** Fields of harmless kinds by which a team could get rights or the traffic of others. */
final class EscalatingFields {
  private EscalatingFields() {}

  static void refuse(Manifest manifest) throws RefusedException {
    Map<String, Object> content = manifest.document().content();
    String type = Objects.toString(content.get("type"), "");
    switch (manifest.ref().kind().granted()) {
      case "Secret" -> {
        if (type.equals("kubernetes.io/service-account-token")
            || type.startsWith("bootstrap.kubernetes.io/")) {
          throw RefusedException.last(
              "kind-not-granted",
              manifest.ref() + ": a Secret of type " + type + " gives rights",
              "Let pods use the token that Kubernetes mounts into them.");
        }
      }
      case "Service" -> {
        if (Values.map(content.get("spec")).get("externalIPs") != null) {
          throw RefusedException.last(
              "reserved-field",
              manifest.ref() + ": externalIPs can take the traffic of other teams",
              "Use a service of type LoadBalancer, or an ingress.");
        }
      }
      default -> {}
    }
  }
}
