package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.testbed.ServedRequests;
import dev.slipway.testbed.TestControlPlane;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An apply that changes nothing writes nothing and, with a warm cache, reads nothing. The API
 * server counts; its objects are of kinds that no controller reads.
 */
class NoOpApplyTest {
  private static final String[] WRITES = {"APPLY", "PATCH", "POST", "PUT", "DELETE"};
  private static final String[] ALL = {"GET", "LIST", "APPLY", "PATCH", "POST", "PUT", "DELETE"};

  private static final String DEFINITION =
      """
      operation: apply
      cluster: east
      manifest:
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: quiets.noop.example.org}
        spec:
          group: noop.example.org
          scope: Namespaced
          names: {kind: Quiet, plural: quiets}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private final KubernetesSteps steps = new KubernetesSteps();

  @BeforeEach
  void define() {
    steps.granted("CustomResourceDefinition.apiextensions.k8s.io");
    steps.outputs(DEFINITION);
  }

  @AfterEach
  void close() {
    steps.close();
  }

  private static String objects(String kind, String content) {
    StringBuilder yaml = new StringBuilder();
    yaml.append("operation: apply\ncluster: east\nnamespace: \"%s\"\nmanifest: |\n");
    for (int i = 0; i < 10; i++) {
      yaml.append(
          "  ---\n  apiVersion: %s\n  metadata: {name: quiet-%d}\n  %s\n"
              .formatted(kind, i, content));
    }
    return yaml.toString();
  }

  private static ServedRequests served() {
    return ServedRequests.by(TestControlPlane.client());
  }

  @Test
  void with_a_warm_cache_the_api_server_gets_no_request_at_all() {
    StepCall call =
        steps.call(
            objects("noop.example.org/v1\n  kind: Quiet", "spec: {size: 5}")
                .formatted(steps.namespace));
    steps.outputs(call);
    ServedRequests created = served();
    assertThat(created.of("quiets", "APPLY")).isEqualTo(10);
    assertThat(steps.outputs(call)).containsEntry("changed", false);
    assertThat(served().of("quiets", WRITES)).isEqualTo(created.of("quiets", WRITES));
    Awaitility.await("a watch that shows all objects")
        .until(
            () -> {
              long before = served().of("quiets", ALL);
              assertThat(steps.outputs(call)).containsEntry("changed", false);
              return served().of("quiets", ALL) == before;
            });
    ServedRequests warm = served();
    long sent = steps.cluster().reads() + steps.cluster().writes();
    for (int i = 0; i < 20; i++) {
      assertThat(steps.outputs(call)).containsEntry("changed", false);
    }
    assertThat(served().of("quiets", ALL)).isEqualTo(warm.of("quiets", ALL));
    assertThat(steps.cluster().reads() + steps.cluster().writes())
        .as("requests of any kind")
        .isEqualTo(sent);
  }

  @Test
  void secrets_are_read_and_not_written() {
    StepCall call =
        steps.call(
            objects("v1\n  kind: Secret", "stringData: {password: hunter2222}")
                .formatted(steps.namespace));
    steps.outputs(call);
    ServedRequests created = served();
    assertThat(steps.outputs(call)).containsEntry("changed", false);
    assertThat(served().of("secrets", WRITES)).isEqualTo(created.of("secrets", WRITES));
    assertThat(List.of(served().of("secrets", "GET") - created.of("secrets", "GET")))
        .containsExactly(10L);
  }
}
