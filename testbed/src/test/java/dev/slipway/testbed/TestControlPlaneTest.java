package dev.slipway.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the shared control plane plays for tests. */
class TestControlPlaneTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String BEHAVIOUR = "simulate.slipway.dev/pod";

  private final TestNamespace namespace = TestControlPlane.freshNamespace();
  private final KubernetesClient client = TestControlPlane.client();

  @Test
  void a_deployment_of_three_becomes_available() {
    Deployment made = client.resource(deployment("web", 3, Map.of())).create();
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(client.resource(made).get().getStatus().getAvailableReplicas())
                    .isEqualTo(3));
  }

  @Test
  void a_job_completes() {
    client.resource(job("once", Map.of())).create();
    await().atMost(SOON).until(() -> job("once").equals(List.of("SuccessCriteriaMet", "Complete")));
  }

  @Test
  void a_crashing_pod_is_never_ready_and_says_that_it_is_restarted() {
    client.resource(deployment("broken", 1, Map.of(BEHAVIOUR, "crash"))).create();
    await().atMost(SOON).until(() -> waits("broken", "CrashLoopBackOff"));
    assertThat(only("broken").getStatus().getContainerStatuses().getFirst().getRestartCount())
        .isPositive();
  }

  @Test
  void a_job_whose_pod_crashes_fails() {
    client.resource(job("broken-job", Map.of(BEHAVIOUR, "crash"))).create();
    await().atMost(SOON).until(() -> job("broken-job").equals(List.of("FailureTarget", "Failed")));
  }

  @Test
  void a_pod_whose_image_is_missing_says_so() {
    client.resource(deployment("imageless", 1, Map.of(BEHAVIOUR, "image-pull"))).create();
    await().atMost(SOON).until(() -> waits("imageless", "ImagePullBackOff"));
  }

  @Test
  void a_pod_can_stay_pending_until_its_annotation_goes() {
    client.resource(deployment("slow", 1, Map.of(BEHAVIOUR, "pending"))).create();
    await()
        .atMost(SOON)
        .until(() -> !pods("slow").isEmpty() && only("slow").getSpec().getNodeName() != null);
    Pod pod = only("slow");
    assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
    client
        .resource(pod)
        .edit(
            p -> {
              p.getMetadata().getAnnotations().remove(BEHAVIOUR);
              return p;
            });
    await().atMost(SOON).until(() -> only("slow").getStatus().getPhase().equals("Running"));
  }

  @Test
  void a_pod_can_be_ready_later() {
    client
        .resource(deployment("later", 1, Map.of("simulate.slipway.dev/ready-after", "3s")))
        .create();
    await().atMost(SOON).until(() -> !pods("later").isEmpty() && ready(only("later")));
    Pod pod = only("later");
    java.time.Instant created = java.time.Instant.parse(pod.getMetadata().getCreationTimestamp());
    java.time.Instant started = java.time.Instant.parse(pod.getStatus().getStartTime());
    assertThat(Duration.between(created, started)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_user_of_a_namespace_may_do_what_its_rules_say_and_nothing_else() {
    try (KubernetesClient user =
        TestControlPlane.client(
            namespace.user(
                "reader", TestNamespace.allow("", List.of("configmaps"), "get", "create")))) {
      user.resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withName("mine")
                  .withNamespace(namespace.name())
                  .endMetadata()
                  .build())
          .create();
      assertThatThrownBy(() -> user.secrets().inNamespace(namespace.name()).list())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("forbidden");
      assertThatThrownBy(
              () -> user.configMaps().inNamespace("default").withName("kube-root-ca.crt").get())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("forbidden");
    }
  }

  private List<String> job(String name) {
    return client
        .batch()
        .v1()
        .jobs()
        .inNamespace(namespace.name())
        .withName(name)
        .get()
        .getStatus()
        .getConditions()
        .stream()
        .map(c -> c.getType())
        .toList();
  }

  private boolean waits(String app, String reason) {
    return pods(app).stream()
        .flatMap(p -> p.getStatus().getContainerStatuses().stream())
        .map(s -> s.getState())
        .map(ContainerState::getWaiting)
        .anyMatch(w -> w != null && w.getReason().equals(reason));
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  private Pod only(String app) {
    return pods(app).getFirst();
  }

  private List<Pod> pods(String app) {
    return client.pods().inNamespace(namespace.name()).withLabel("app", app).list().getItems();
  }

  private Deployment deployment(String name, int replicas, Map<String, String> annotations) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace.name())
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withTemplate(template(name, null, annotations))
        .endSpec()
        .build();
  }

  private io.fabric8.kubernetes.api.model.batch.v1.Job job(
      String name, Map<String, String> annotations) {
    return new JobBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace.name())
        .endMetadata()
        .withNewSpec()
        .withBackoffLimit(0)
        .withTemplate(template(name, "Never", annotations))
        .endSpec()
        .build();
  }

  private static PodTemplateSpec template(
      String app, String restartPolicy, Map<String, String> annotations) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .addToLabels("app", app)
        .withAnnotations(annotations)
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy(restartPolicy)
        .addNewContainer()
        .withName("main")
        .withImage("example/app:1")
        .endContainer()
        .endSpec()
        .build();
  }
}
