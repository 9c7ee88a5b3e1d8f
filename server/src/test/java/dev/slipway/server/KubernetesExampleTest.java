package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The provider of examples/kubernetes on a real server and a real control plane. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesExampleTest {
  private Running running;
  private String team;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path example = Path.of("..", "examples", "kubernetes").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.walk(example)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = directory.resolve(example.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    Files.copy(TestControlPlane.kubeconfig(), directory.resolve("kubeconfig"));
    running = new Running(Optional.of(directory.resolve("admin-config.yaml")));
    team = running.member("mia", "sailors", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private void deploy(int replicas) throws IOException {
    String score =
        Files.readString(Path.of("..", "examples", "kubernetes", "score.yaml"))
            .replace("replicas: 2", "replicas: " + replicas);
    var reply = running.as(team).yaml("/api/specs", score);
    assertThat(reply.status()).as(reply.body()).isIn(200, 201);
    Object id = reply.json().get("deploymentId");
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () ->
                assertThat(running.as(team).get("/api/deployments/" + id).json())
                    .containsEntry("status", "completed"));
  }

  private static List<Deployment> live() {
    return TestControlPlane.client()
        .apps()
        .deployments()
        .inNamespace("sailors-default")
        .list()
        .getItems();
  }

  @Test
  void a_web_server_is_made_changed_and_removed_in_a_cluster() throws IOException {
    deploy(1);
    Deployment made = live().getFirst();
    assertThat(made.getStatus().getAvailableReplicas()).isEqualTo(1);
    assertThat(made.getMetadata().getAnnotations()).containsEntry("slipway.dev/team", "sailors");
    deploy(2);
    assertThat(live()).hasSize(1);
    assertThat(live().getFirst().getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
    assertThat(live().getFirst().getStatus().getAvailableReplicas()).isEqualTo(2);
    running.as(team).delete("/api/applications/hello?confirm=hello").expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () ->
                assertThat(running.as(team).get("/api/applications/hello").status())
                    .as(running.as(team).get("/api/applications/hello/explain").body())
                    .isEqualTo(404));
    assertThat(live()).isEmpty();
    assertThat(TestControlPlane.client().namespaces().withName("sailors-default").get())
        .as("a namespace goes only when a step names it")
        .isNotNull();
  }

  @Test
  void the_health_of_each_cluster_is_shown() {
    List<?> clusters =
        (List<?>) running.as(team).get("/api/clusters").expect(200).json().get("data");
    Map<String, Object> east = Values.map(clusters.getFirst());
    assertThat(east).containsEntry("name", "east").containsEntry("status", "healthy");
    assertThat(east.get("version").toString()).startsWith("v1.");
    assertThat(running.as(team).get("/api/clusters/east").expect(200).json())
        .containsEntry("status", "healthy");
    running.as(team).get("/api/clusters/west").expect(404);
    running.asNobody().get("/api/clusters").expect(401);
  }
}
