package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.cluster.ApiKind;
import java.util.Set;

/**
 * Kinds that a provider needs a grant for: those without a namespace, which reach every team, and
 * those within a namespace that give rights, lift limits or lead the traffic of others elsewhere.
 * New kinds without a namespace are among them by themselves.
 */
public final class GuardedKinds {
  private static final Set<String> GROUPS =
      Set.of(
          "rbac.authorization.k8s.io",
          "authorization.openshift.io",
          "security.openshift.io",
          "admissionregistration.k8s.io",
          "apiregistration.k8s.io",
          "certificates.k8s.io",
          "authorization.k8s.io",
          "authentication.k8s.io",
          "policy.networking.k8s.io",
          "coordination.k8s.io");
  private static final Set<String> KINDS =
      Set.of("ResourceQuota", "LimitRange", "Endpoints", "EndpointSlice.discovery.k8s.io");

  private GuardedKinds() {}

  /** Whether a grant has to name the kind. */
  public static boolean guarded(ApiKind kind) {
    return kind.scope() == ApiKind.Scope.CLUSTER && !namespace(kind)
        || GROUPS.contains(kind.group())
        || KINDS.contains(kind.granted());
  }

  /** A namespace is judged by its name. */
  public static boolean namespace(ApiKind kind) {
    return kind.kind().equals("Namespace") && kind.group().isEmpty();
  }
}
