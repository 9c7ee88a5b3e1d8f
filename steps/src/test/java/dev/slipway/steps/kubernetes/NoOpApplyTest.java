package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.testbed.ServedRequests;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
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
    ServedRequests before = served();
    steps.outputs(call);
    ServedRequests created = served();
    assertThat(created.of("quiets", "APPLY") - before.of("quiets", "APPLY")).isEqualTo(10);
    assertThat(steps.outputs(call)).containsEntry("changed", false);
    assertThat(served().of("quiets", WRITES)).isEqualTo(created.of("quiets", WRITES));
    Awaitility.await("a watch that shows all objects")
        .until(
            () -> {
              long sent = served().of("quiets", ALL);
              assertThat(steps.outputs(call)).containsEntry("changed", false);
              return served().of("quiets", ALL) == sent;
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

  private StepCall one(String name, int size) {
    return steps.call(
        """
        operation: apply
        cluster: east
        namespace: @NS@
        manifest: {apiVersion: noop.example.org/v1, kind: Quiet, metadata: {name: "%s"}, spec: {size: %d}}
        """
            .formatted(name, size));
  }

  /** Applies an object until its watch shows it as it was applied last. */
  private void warm(StepCall call) {
    steps.outputs(call);
    Awaitility.await("a watch that shows the object")
        .until(
            () -> {
              long before = served().of("quiets", ALL);
              steps.outputs(call);
              return served().of("quiets", ALL) == before;
            });
  }

  @Test
  void with_a_warm_cache_a_change_and_a_new_object_are_one_request_each() {
    warm(one("first", 1));
    ServedRequests before = served();
    assertThat(steps.outputs(one("first", 2))).containsEntry("changed", true);
    assertThat(steps.outputs(one("second", 1))).containsEntry("changed", true);
    ServedRequests after = served();
    assertThat(after.of("quiets", "APPLY") - before.of("quiets", "APPLY")).isEqualTo(2);
    assertThat(after.of("quiets", "GET")).isEqualTo(before.of("quiets", "GET"));
  }

  @Test
  void an_object_without_an_owner_that_the_watch_does_not_show_is_not_applied_over() {
    warm(one("first", 1));
    GenericKubernetesResource theirs =
        TestControlPlane.client()
            .resource(
                new GenericKubernetesResourceBuilder()
                    .withApiVersion("noop.example.org/v1")
                    .withKind("Quiet")
                    .withNewMetadata()
                    .withName("theirs")
                    .withNamespace(steps.namespace)
                    .endMetadata()
                    .build())
            .create();
    assertThat(steps.failed(one("theirs", 1)).error().code()).isEqualTo("not-ours");
    assertThat(TestControlPlane.client().resource(theirs).get()).isEqualTo(theirs);
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
