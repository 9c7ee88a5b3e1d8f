package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Step;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that wait for an object, read it, change a part of it, and delete several at once. */
class WaitAndPatchTest {
  private static final String WEB =
      """
      operation: apply
      cluster: east
      namespace: @NS@
      manifest: |
        apiVersion: v1
        kind: Service
        metadata: {name: web}
        spec:
          selector: {app: web}
          ports: [{port: 80}]
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: {{ .parameters.replicas }}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers:
              - name: web
                image: registry.example.org/web:1
                resources: {requests: {cpu: 1000m, memory: 64Mi}}
      """;
  private static final String ONE =
      "cluster: east, apiVersion: apps/v1, kind: Deployment, name: web, namespace: @NS@";

  private final KubernetesSteps steps = new KubernetesSteps();

  @AfterEach
  void close() {
    steps.close();
  }

  private Map<String, Object> apply(int replicas) {
    return steps.outputs(steps.call(WEB, Map.of("replicas", (long) replicas)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"health", "condition=Available", "jsonpath=$.status.readyReplicas=2"})
  void a_step_waits_until_the_applied_generation_is_there(String what) {
    apply(2);
    Map<String, Object> outputs =
        steps.outputs("{operation: wait, for: '%s', %s}".formatted(what, ONE));
    assertThat(Values.map(Values.map(outputs.get("object")).get("status")))
        .containsEntry("readyReplicas", 2L);
  }

  @Test
  void a_deployment_that_the_server_wrote_in_its_own_form_is_not_written_again() {
    Map<String, Object> outputs = apply(1);
    assertThat(outputs)
        .containsEntry("endpoint", "web." + steps.namespace + ".svc")
        .containsEntry("name", "web");
    steps.outputs("{operation: wait, for: health, %s}".formatted(ONE));
    long writes = steps.cluster().writes();
    assertThat(apply(1)).containsEntry("changed", false);
    assertThat(steps.cluster().writes()).isEqualTo(writes);
    assertThat(apply(2)).containsEntry("changed", true);
  }

  @Test
  void parts_of_objects_are_changed_by_three_kinds_of_patches() {
    apply(1);
    steps.outputs("{operation: patch, patch: {spec: {replicas: 2}}, %s}".formatted(ONE));
    steps.outputs(
        "{operation: patch, strategy: json, patch: [{op: add, path: /metadata/labels/tier, value:"
            + " front}], %s}".formatted(ONE));
    Map<String, Object> outputs =
        steps.outputs(
            "{operation: patch, strategy: strategic, patch: {spec: {template: {spec: {containers:"
                + " [{name: web, image: 'registry.example.org/web:2'}]}}}}, %s}".formatted(ONE));
    Map<String, Object> object = Values.map(outputs.get("object"));
    assertThat(Values.map(object.get("spec"))).containsEntry("replicas", 2L);
    assertThat(object.toString()).contains("tier=front").contains("web:2").contains("64Mi");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "patch: {metadata: {ownerReferences: []}}",
        "patch: {metadata: {annotations: {slipway.dev/owner: x}}}",
        "patch: {metadata: {annotations: null}}",
        "patch: {status: {replicas: 5}}",
        "strategy: json, patch: [{op: remove, path: /metadata/annotations}]",
        "strategy: json, patch: [{op: replace, path: /metadata/annotations/slipway.dev~1owner,"
            + " value: x}]",
        "strategy: json, patch: [{op: replace, path: '', value: {}}]",
        "strategy: json, patch: [{op: add, path: /metadata/finalizers, value: [a/b]}]",
      })
  void a_patch_cannot_change_whose_an_object_is(String patch) {
    apply(1);
    assertThat(steps.failed("{operation: patch, %s, %s}".formatted(patch, ONE)).error().code())
        .isEqualTo("invalid-patch");
  }

  @Test
  void an_object_is_read_and_captured_and_a_missing_one_is_missing() {
    apply(1);
    StepCall call = steps.call("{operation: get, %s}".formatted(ONE));
    StepCall capturing =
        Calls.capturing(
            call,
            Map.of(
                "image",
                new Step.Capture(
                    Step.Capture.Source.OBJECT, "$.spec.template.spec.containers[0].image", null)));
    assertThat(steps.outputs(capturing)).containsEntry("image", "registry.example.org/web:1");
    assertThat(
            steps
                .failed(
                    "{operation: get, cluster: east, kind: ConfigMap, name: gone, namespace: @NS@}")
                .error()
                .code())
        .isEqualTo("missing");
  }

  @Test
  void what_is_captured_of_a_secret_is_secret() {
    steps.outputs(
        "{operation: apply, cluster: east, namespace: @NS@, manifest: {apiVersion: v1, kind:"
            + " Secret, metadata: {name: login}, stringData: {password: hunter2222}}}");
    StepCall call =
        Calls.capturing(
            steps.call(
                "{operation: get, cluster: east, kind: Secret, name: login, namespace: @NS@}"),
            Map.of(
                "password", new Step.Capture(Step.Capture.Source.OBJECT, "$.data.password", null)));
    Result.Succeeded result = (Result.Succeeded) steps.end(call);
    assertThat(result.secretOutputs()).contains("password");
    assertThat(Values.map(result.outputs().get("object"))).doesNotContainKey("data");
  }

  @Test
  void several_objects_are_deleted_in_reverse_and_the_step_waits_until_they_are_gone() {
    apply(1);
    steps.outputs(
        steps.call(WEB.replace("operation: apply", "operation: delete"), Map.of("replicas", 1L)));
    assertThat(
            TestControlPlane.client()
                .apps()
                .deployments()
                .inNamespace(steps.namespace)
                .withName("web")
                .get())
        .isNull();
    List<String> gone = steps.log.all().stream().filter(line -> line.contains("gone")).toList();
    assertThat(gone).anyMatch(line -> line.contains("Service"));
  }
}
