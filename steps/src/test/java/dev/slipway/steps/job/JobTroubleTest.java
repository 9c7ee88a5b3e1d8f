package dev.slipway.steps.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.steps.Calls;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that cannot run, or not yet. */
@Timeout(300)
class JobTroubleTest {
  @TempDir Path data;
  private final KubernetesClient client = TestControlPlane.client();
  private JobSteps steps;

  @BeforeEach
  void start() {
    steps = new JobSteps(data);
  }

  @AfterEach
  void stop() {
    steps.close();
  }

  /** Executes it until the log says that. */
  private CompletableFuture<Result> until(StepCall call, String said) throws Exception {
    StepCall begun = steps.begun(call);
    CompletableFuture<Result> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(steps.executor.execute(begun));
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    await()
        .atMost(JobSteps.LIMIT)
        .failFast(() -> assertThat(result).isNotDone())
        .untilAsserted(() -> assertThat(steps.log.all()).anyMatch(line -> line.contains(said)));
    return result;
  }

  @Test
  void an_image_that_cannot_be_pulled_is_said_and_waited_for() throws Exception {
    steps.configure(
        steps
            .cluster(TestControlPlane.shared().administrator().text())
            .with(steps.settings("registry.test/missing:1")));
    CompletableFuture<Result> result =
        until(Calls.within(Duration.ofSeconds(6), steps.call("true")), "ImagePullBackOff");
    assertThat(((Result.Failed) result.join()).error().message())
        .contains("stopped after its timeout; pod ")
        .contains("waits: ImagePullBackOff: Back-off pulling image \"registry.test/missing:1\"");
    assertThat(steps.jobs()).isEmpty();
  }

  @Test
  void a_pod_that_no_quota_has_room_for_is_waited_for() throws Exception {
    client
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("none")
                .withNamespace(steps.namespace)
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity("0"))
                .endSpec()
                .build())
        .create();
    CompletableFuture<Result> result =
        until(steps.call("echo OUTPUT_a=1"), "FailedCreate: Error creating: pods");
    assertThat(steps.log.all()).anyMatch(line -> line.contains("exceeded quota: none"));
    assertThat(result).isNotDone();
    client.batch().v1().jobs().inNamespace(steps.namespace).delete();
    assertThat(((Result.Failed) result.join()).error().code()).isEqualTo("job-gone");
  }

  @Test
  void a_cluster_that_does_not_allow_it_is_the_steps_error() {
    TestNamespace namespace = new TestNamespace(steps.namespace);
    Kubeconfig user = namespace.user("weak", TestNamespace.allow("", List.of("namespaces"), "get"));
    steps.configure(steps.cluster(user.text()));
    var error = steps.failed(steps.call("true")).error();
    assertThat(error.code()).isEqualTo("cluster-forbidden");
    assertThat(error.message()).contains("cannot get resource \"jobs\"");
    assertThat(error.hint()).contains("apiGroups: ['batch']");
  }

  @Test
  void the_cluster_is_granted_and_runs_jobs_and_its_namespace_is_no_other_teams() {
    assertThat(steps.failed(Calls.granted(steps.call("true"), Grants.NONE)).error().code())
        .isEqualTo("cluster-required");
    StepCall named = steps.call("true", Map.of("cluster", "east"));
    assertThat(steps.failed(Calls.granted(named, Grants.NONE)).error().code())
        .isEqualTo("cluster-not-granted");
    client
        .namespaces()
        .withName(steps.namespace)
        .edit(
            n ->
                new NamespaceBuilder(n)
                    .editMetadata()
                    .addToAnnotations("slipway.dev/team", "red")
                    .endMetadata()
                    .build());
    assertThat(steps.failed(named).error().code()).isEqualTo("namespace-not-granted");
    ClusterSettings without = steps.cluster(TestControlPlane.shared().administrator().text());
    steps.configure(
        new ClusterSettings(
            without.access(), without.impersonate(), without.namespaces(), without.teams()));
    assertThat(steps.failed(named).error().code()).isEqualTo("jobs-not-configured");
    assertThat(steps.jobs()).isEmpty();
  }

  @Test
  void a_job_of_that_name_that_is_not_ours_is_left_alone() throws Exception {
    StepCall call = steps.call("echo ours");
    steps.outputs(call);
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(steps.namespace)
        .withName(steps.jobs().getFirst().getMetadata().getName())
        .edit(
            job -> {
              job.getMetadata().getAnnotations().put("slipway.dev/idempotency-key", "other");
              return job;
            });
    assertThat(steps.failed(call).error().code()).isEqualTo("not-ours");
    steps.executor.stop(Calls.recovered(call));
    assertThat(steps.jobs()).hasSize(1);
  }

  @Test
  void a_pod_that_is_deleted_from_outside_fails_the_step_and_is_not_made_again() throws Exception {
    Path effects = data.resolve("effects");
    CompletableFuture<Result> result =
        until(steps.call("echo run >> '" + effects + "'; echo up; sleep 100"), "STDOUT up");
    client.pods().inNamespace(steps.namespace).delete();
    assertThat(((Result.Failed) result.join()).error().code())
        .isIn("exit-code", "pod-failed", "job-failed");
    assertThat(Files.readAllLines(effects)).containsExactly("run");
  }

  @Test
  void a_job_that_is_deleted_from_outside_is_not_made_again() throws Exception {
    CompletableFuture<Result> result = until(steps.call("echo up; exec sleep 100"), "STDOUT up");
    client.batch().v1().jobs().inNamespace(steps.namespace).delete();
    assertThat(((Result.Failed) result.join()).error().code())
        .isIn("exit-code", "job-gone", "pod-failed");
    await().atMost(JobSteps.LIMIT).untilAsserted(() -> assertThat(steps.jobs()).isEmpty());
  }

  @Test
  void a_script_that_prints_without_end_is_stopped() throws Exception {
    steps.limits = ProcessLimits.DEFAULT.withOutput(200_000);
    var error = steps.failed(steps.call("while :; do echo and so on; done")).error();
    assertThat(error.code()).isEqualTo("output-limit");
    assertThat(steps.jobs()).isEmpty();
  }

  @Test
  void outputs_that_are_too_large_for_a_job_fail_it() {
    var error =
        steps
            .failed(steps.call("head -c 70000 /dev/zero | tr '\\0' x > \"$SLIPWAY_OUTPUT\""))
            .error();
    assertThat(error.code()).isEqualTo("invalid-output");
    assertThat(error.message())
        .isEqualTo("$SLIPWAY_OUTPUT has 70000 bytes; the outputs of a Job have at most 64 KiB");
  }

  @Test
  void the_files_of_the_provider_are_there() throws Exception {
    Path provider = Files.createDirectories(data.resolve("provider"));
    Files.createDirectories(provider.resolve("bin/deep"));
    Files.writeString(provider.resolve("bin/deep/hello"), "#!/bin/sh\necho \"OUTPUT_hello=$1\"\n");
    provider.resolve("bin/deep/hello").toFile().setExecutable(true);
    Files.writeString(provider.resolve("text"), "é\n");
    StepCall call =
        steps.call(
            "./deep/hello you; echo OUTPUT_text=$(cat \"$SLIPWAY_PROVIDER_DIR/text\")",
            Map.of("workingDir", "bin"));
    assertThat(steps.outputs(Calls.in(provider, call)))
        .containsEntry("hello", "you")
        .containsEntry("text", "é");
    Files.write(provider.resolve("large"), new byte[1024 * 1024]);
    var error = steps.failed(Calls.in(provider, steps.call("true"))).error();
    assertThat(error.message()).contains("the provider has more files than a Job can be given");
  }
}
