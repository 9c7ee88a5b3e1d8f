package dev.slipway.kubernetes.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.cluster.ApiKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What others need is applied first. */
class ApplyOrderTest {
  private static ApiKind kind(String apiVersion, String kind) {
    return new ApiKind(apiVersion, kind, kind.toLowerCase() + "s", ApiKind.Scope.NAMESPACED);
  }

  @Test
  void namespaces_and_definitions_come_first_and_custom_resources_last() {
    List<ApiKind> right =
        List.of(
            kind("v1", "Namespace"),
            kind("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
            kind("v1", "ServiceAccount"),
            kind("v1", "Secret"),
            kind("v1", "Service"),
            kind("apps/v1", "Deployment"),
            kind("example.org/v1", "Deployment"));
    List<ApiKind> mixed = new ArrayList<>(right);
    Collections.reverse(mixed);
    mixed.sort(ApplyOrder.BY_RANK);
    assertThat(mixed).isEqualTo(right);
  }

  @Test
  void only_groups_without_a_dot_and_those_of_kubernetes_are_built_in() {
    assertThat(List.of("", "apps", "batch", "rbac.authorization.k8s.io"))
        .allMatch(ApplyOrder::builtIn);
    assertThat(List.of("example.org", "k8s.io.example.org")).noneMatch(ApplyOrder::builtIn);
  }

  private static String path(String field, Map<String, Object> document) {
    return FieldPath.parse(field, document).toString();
  }

  @Test
  void paths_of_fields_are_read_as_far_as_they_name_keys() {
    Map<String, Object> document =
        Map.of(
            "spec",
            Map.of("ports", List.of(Map.of("port", 80L), Map.of("port", 81L, "name", "x"))));
    assertThat(path("spec.ports[0].port", document)).isEqualTo("spec.ports[0].port");
    assertThat(path("metadata.labels[a/b]", document)).isEqualTo("metadata.labels.\"a/b\"");
    assertThat(path("spec.ports[port=81,protocol=\"TCP\"].name", document))
        .isEqualTo("spec.ports[1].name");
    assertThat(path("spec.ports[port=9].name", document)).isEqualTo("spec.ports");
  }
}
