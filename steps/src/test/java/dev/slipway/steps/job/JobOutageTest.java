package dev.slipway.steps.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.node.ProcessNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server that is killed while a Job runs. */
@Tag("proof")
@Timeout(400)
class JobOutageTest {
  @TempDir Path data;

  @Test
  void a_job_goes_on_while_the_api_server_is_away_and_its_log_is_kept_once() throws Exception {
    try (ControlPlane plane = TestControlPlane.separate();
        ProcessNode node = ProcessNode.start(plane, JobSteps.IMAGE);
        KubernetesClient client = TestControlPlane.client(plane.administrator());
        JobSteps steps = new JobSteps(data)) {
      namespace(client, steps.namespace);
      steps.configure(steps.cluster(plane.administrator().text()));
      Path go = data.resolve("go");
      StepCall begun =
          steps.begun(
              steps.call(
                  "for i in 1 2 3 4 5; do echo before $i; done; until [ -e '"
                      + go
                      + "' ]; do sleep 0.1; done; for i in 1 2 3; do echo after $i; done;"
                      + " echo a=1 > \"$SLIPWAY_OUTPUT\""));
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
      await().atMost(JobSteps.LIMIT).until(() -> steps.log.all().contains("STDOUT before 5"));

      plane.apiServer().kill();
      await()
          .atMost(JobSteps.LIMIT)
          .until(() -> steps.log.all().stream().anyMatch(line -> line.contains("not answer")));
      Files.createFile(go);
      await().atMost(JobSteps.LIMIT).until(() -> node.running() == 0);
      assertThat(result).isNotDone();
      plane.apiServer().start();
      plane.awaitReady();

      assertThat(((Result.Succeeded) result.get()).outputs()).containsEntry("a", "1");
      assertThat(steps.log.all().stream().filter(line -> line.startsWith("STDOUT")))
          .containsExactlyElementsOf(expected());
    }
  }

  private static void namespace(KubernetesClient client, String name) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  private static List<String> expected() {
    return Stream.concat(
            IntStream.rangeClosed(1, 5).mapToObj(i -> "STDOUT before " + i),
            IntStream.rangeClosed(1, 3).mapToObj(i -> "STDOUT after " + i))
        .toList();
  }
}
