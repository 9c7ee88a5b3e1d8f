package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A look at the objects of a manifest: missing, changed by others, or not well; never a write. */
class CheckTest {
  private static final String MANIFEST =
      """
      cluster: east
      namespace: @NS@
      manifest: |
        apiVersion: v1
        kind: Secret
        metadata: {name: login}
        stringData: {password: swordfish}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, annotations: {example.org/team: red}}
        spec:
          replicas: 1
          paused: false
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              hostNetwork: false
              containers:
              - name: web
                image: web:1
                env: [{name: COLOUR, value: red}]
                ports: [{containerPort: 80}]
                resources: {limits: {cpu: 1000m, memory: 1024Mi}}
              - {name: side, image: side:1}
              volumes: [{name: scratch, emptyDir: {}}]
      """;

  private final KubernetesSteps steps = new KubernetesSteps();

  @AfterEach
  void close() {
    steps.close();
  }

  private void applied() {
    steps.outputs("operation: apply\n" + MANIFEST);
    Awaitility.await("the deployment is healthy").until(() -> check() instanceof Result.Succeeded);
  }

  private Result check() {
    return steps.once(steps.call("operation: check\n" + MANIFEST));
  }

  private StepError finding() {
    Result result = check();
    assertThat(result).isInstanceOf(Result.Failed.class);
    return ((Result.Failed) result).error();
  }

  private RollableScalableResource<Deployment> web() {
    return TestControlPlane.client()
        .apps()
        .deployments()
        .inNamespace(steps.namespace)
        .withName("web");
  }

  private void edit(UnaryOperator<DeploymentBuilder> change) {
    Awaitility.await("a controller may change the object at the same time")
        .ignoreException(KubernetesClientException.class)
        .until(() -> web().edit(live -> change.apply(new DeploymentBuilder(live)).build()) != null);
  }

  @Test
  void what_is_as_it_was_applied_and_healthy_succeeds_without_a_write() {
    applied();
    long writes = steps.cluster().writes();
    assertThat(check()).isInstanceOf(Result.Succeeded.class);
    assertThat(steps.cluster().writes()).isEqualTo(writes);
  }

  @Test
  void where_changes_lead_to_looks_an_unchanged_object_is_not_read_again() {
    steps.executor.warm().of(steps.cluster()).watches().listen(_ -> {});
    String manifest =
        """
        operation: check
        cluster: east
        namespace: @NS@
        manifest: {apiVersion: v1, kind: ConfigMap, metadata: {name: plain}, data: {a: '1'}}
        """;
    steps.outputs(manifest.replace("check", "apply"));
    Awaitility.await("a look without a request")
        .until(
            () -> {
              long before = steps.cluster().reads();
              assertThat(steps.once(steps.call(manifest))).isInstanceOf(Result.Succeeded.class);
              return steps.cluster().reads() == before;
            });
    TestControlPlane.client()
        .configMaps()
        .inNamespace(steps.namespace)
        .withName("plain")
        .edit(
            live -> {
              live.setData(Map.of("a", "2"));
              return live;
            });
    Awaitility.await("a look that the change leads to")
        .until(() -> steps.once(steps.call(manifest)) instanceof Result.Failed);
  }

  @Test
  void a_changed_field_is_drift_that_names_the_client_and_no_value() {
    applied();
    edit(
        web ->
            web.editSpec()
                .editTemplate()
                .editSpec()
                .editMatchingContainer(c -> c.getName().equals("web"))
                .withImage("web:2")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec());
    StepError drift = finding();
    assertThat(drift.code()).isEqualTo("drift");
    assertThat(drift.message())
        .isEqualTo(
            "Deployment %s/web: 'fabric8-kubernetes-client' changed spec.template.spec.containers[name=\"web\"].image"
                .formatted(steps.namespace));
  }

  @Test
  void a_field_an_item_and_a_container_that_another_client_removed_are_drift() {
    applied();
    edit(
        web ->
            web.editMetadata()
                .removeFromAnnotations("example.org/team")
                .endMetadata()
                .editSpec()
                .editTemplate()
                .editSpec()
                .withContainers(
                    new ContainerBuilder()
                        .withName("web")
                        .withImage("web:1")
                        .withNewResources()
                        .addToLimits("cpu", new io.fabric8.kubernetes.api.model.Quantity("1"))
                        .addToLimits("memory", new io.fabric8.kubernetes.api.model.Quantity("1Gi"))
                        .endResources()
                        .build())
                .endSpec()
                .endTemplate()
                .endSpec());
    assertThat(finding().message())
        .contains("removed: metadata.annotations[example.org/team]")
        .contains("containers[name=\"web\"].env")
        .contains("containers[name=\"side\"]")
        .doesNotContain("limits");
  }

  @Test
  void what_others_add_and_what_is_ignored_is_no_drift() {
    applied();
    web().scale(2);
    edit(web -> web.editMetadata().addToLabels("theirs", "yes").endMetadata());
    assertThat(finding().message()).contains("spec.replicas").doesNotContain("theirs");
    String ignoring = "operation: check\nignoreFields: [Deployment spec.replicas]\n" + MANIFEST;
    Awaitility.await("only the ignored field differs")
        .until(() -> steps.once(steps.call(ignoring)) instanceof Result.Succeeded);
    assertThat(
            steps.once(
                steps.call(ignoring.replace("Deployment spec.replicas", "Secret /spec/replicas"))))
        .isInstanceOf(Result.Failed.class);
  }

  @Test
  void a_changed_secret_is_drift_without_its_value() {
    applied();
    TestControlPlane.client()
        .secrets()
        .inNamespace(steps.namespace)
        .withName("login")
        .edit(
            live -> {
              live.setData(Map.of("password", "b3RoZXI="));
              return live;
            });
    assertThat(finding().message())
        .endsWith("login: 'fabric8-kubernetes-client' changed data.password")
        .doesNotContain("b3RoZXI")
        .doesNotContain("swordfish");
  }

  @Test
  void an_object_or_a_namespace_that_is_gone_is_missing() {
    applied();
    web().delete();
    Awaitility.await("the deployment is gone").until(() -> web().get() == null);
    StepError missing = finding();
    assertThat(missing.code()).isEqualTo("missing");
    assertThat(missing.message()).isEqualTo("there is no Deployment " + steps.namespace + "/web");
    Namespace namespace = TestControlPlane.client().namespaces().withName(steps.namespace).get();
    TestControlPlane.client().resource(namespace).delete();
    Awaitility.await("the namespace is gone")
        .until(() -> TestControlPlane.client().resource(namespace).get() == null);
    assertThat(finding().code()).isEqualTo("missing");
  }

  @Test
  void an_object_without_our_stamp_is_not_ours() {
    applied();
    edit(web -> web.editMetadata().removeFromAnnotations("slipway.dev/owner").endMetadata());
    assertThat(finding().code()).isEqualTo("not-ours");
  }

  @Test
  void the_health_of_what_is_as_it_was_applied_is_told_by_the_code() {
    String pending =
        MANIFEST.replace(
            "{labels: {app: web}}",
            "{labels: {app: web}, annotations: {simulate.slipway.dev/pod: pending}}");
    steps.outputs("operation: apply\n" + pending);
    Result.Failed progressing =
        (Result.Failed) steps.once(steps.call("operation: check\n" + pending));
    assertThat(progressing.error().code()).isEqualTo("progressing");
    assertThat(progressing.error().message()).contains("web is Progressing");
    String paused = MANIFEST.replace("paused: false", "paused: true");
    steps.outputs("operation: apply\n" + paused);
    Result.Failed suspended = (Result.Failed) steps.once(steps.call("operation: check\n" + paused));
    assertThat(suspended.error().code()).isEqualTo("suspended");
    assertThat(suspended.error().message()).endsWith("is Suspended: the Deployment is paused");
  }

  @Test
  void a_cluster_that_does_not_answer_ends_the_look_at_once() {
    steps.configure(
        Map.of(
            "east",
            KubernetesSteps.settings(
                TestControlPlane.shared()
                    .administrator()
                    .text()
                    .replaceFirst("https://127.0.0.1:\\d+", "https://127.0.0.1:1"),
                java.util.List.of(steps.namespace),
                java.util.List.of())));
    assertThat(finding().code()).isEqualTo("cluster-down");
  }

  @Test
  void a_deployment_that_waits_for_a_pod_that_crashes_is_degraded_with_the_reason_of_the_pod() {
    String crashing =
        MANIFEST.replace(
            "{labels: {app: web}}",
            "{labels: {app: web}, annotations: {simulate.slipway.dev/pod: crash}}");
    steps.outputs("operation: apply\n" + crashing);
    Awaitility.await("the pod is seen")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              Result.Failed found =
                  (Result.Failed) steps.once(steps.call("operation: check\n" + crashing));
              assertThat(found.error().code()).isEqualTo("degraded");
              assertThat(found.error().message()).contains("web is Degraded: pod web-", "back-off");
            });
    Result.Parked waiting =
        (Result.Parked)
            steps.once(
                steps.call(
                    "{operation: wait, for: health, cluster: east, apiVersion: apps/v1,"
                        + " kind: Deployment, name: web, namespace: @NS@}"));
    assertThat(waiting.memory().get(Result.Parked.SEEN).toString())
        .contains("it is Progressing: 0 of 1", "pod web-", "back-off");
  }
}
