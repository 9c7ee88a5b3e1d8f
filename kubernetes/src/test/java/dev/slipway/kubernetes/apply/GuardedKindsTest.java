package dev.slipway.kubernetes.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiKind.Scope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds that reach other teams or give rights need a grant. */
class GuardedKindsTest {
  @ParameterizedTest
  @CsvSource({
    "v1, Namespace, CLUSTER, false",
    "v1, Node, CLUSTER, true",
    "example.org/v1, Anything, CLUSTER, true",
    "example.org/v1, Namespace, CLUSTER, true",
    "example.org/v1, Anything, NAMESPACED, false",
    "rbac.authorization.k8s.io/v1, RoleBinding, NAMESPACED, true",
    "v1, ResourceQuota, NAMESPACED, true",
    "v1, Endpoints, NAMESPACED, true",
    "discovery.k8s.io/v1, EndpointSlice, NAMESPACED, true",
    "coordination.k8s.io/v1, Lease, NAMESPACED, true",
    "v1, ConfigMap, NAMESPACED, false",
    "apps/v1, Deployment, NAMESPACED, false",
  })
  void a_grant_is_needed_or_not(String apiVersion, String kind, Scope scope, boolean guarded) {
    assertThat(GuardedKinds.guarded(new ApiKind(apiVersion, kind, "things", scope)))
        .isEqualTo(guarded);
  }
}
