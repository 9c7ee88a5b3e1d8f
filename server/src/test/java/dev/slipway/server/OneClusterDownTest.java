package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.ApiServerProxy;
import dev.slipway.testbed.TestControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with two clusters, of which one accepts connections and does not answer. */
@Tag("proof")
class OneClusterDownTest {
  private static final int MANY = 100;
  private static final String PROVIDER =
      """
      apiVersion: v1
      kind: Provider
      metadata: {name: notes-%1$s, version: 1.0.0}
      capabilities:
        resourceTypeCapabilities:
          - type: note-%1$s
            operations: {create: {workflow: make}, delete: {workflow: remove}}
      workflows:
        - {name: make, file: ./make.yaml}
        - {name: remove, file: ./make.yaml, operation: delete}
      """;
  private static final String WORKFLOW =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: make}
      steps:
        - name: apply
          type: kubernetes
          timeout: 10m
          config:
            operation: apply
            namespace: %s
            manifest:
              apiVersion: v1
              kind: ConfigMap
              metadata: {name: 'note-{{ .context.resource.id }}'}
      """;

  private static void provider(Path directory, String cluster, String namespace)
      throws IOException {
    Path provider = Files.createDirectories(directory.resolve(cluster));
    Files.writeString(provider.resolve("provider.yaml"), PROVIDER.formatted(cluster));
    Files.writeString(provider.resolve("make.yaml"), WORKFLOW.formatted(namespace));
  }

  private static Path configuration(Path directory, ApiServerProxy proxy) throws IOException {
    String namespace = TestControlPlane.freshNamespace().name();
    var real = TestControlPlane.shared().administrator();
    Files.writeString(directory.resolve("up.kubeconfig"), real.text());
    Files.writeString(directory.resolve("away.kubeconfig"), proxy.through(real).text());
    provider(directory, "up", namespace);
    provider(directory, "away", namespace);
    String each =
        """
          %1$s: {kubeconfig: '${file:%1$s.kubeconfig}', teams: {sailors: {namespaces: [%2$s]}}}
        """;
    String granted =
        """
          - {source: filesystem, path: ./%1$s, grants: {clusters: [%1$s]}}
        """;
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "clusters:\n"
            + each.formatted("up", namespace)
            + each.formatted("away", namespace)
            + "providers:\n"
            + granted.formatted("up")
            + granted.formatted("away"));
  }

  private static String score(String application, String cluster, int notes) {
    StringBuilder score = new StringBuilder();
    score.append(
        "apiVersion: score.dev/v1b1\nmetadata: {name: %s}\ncontainers: {web: {image: a}}\nresources:\n"
            .formatted(application));
    for (int i = 0; i < notes; i++) {
      score.append("  n%d: {type: note-%s}\n".formatted(i, cluster));
    }
    return score.toString();
  }

  @Test
  void only_the_work_of_the_cluster_that_is_down_waits(@TempDir Path directory) throws IOException {
    try (ApiServerProxy proxy = new ApiServerProxy(TestControlPlane.shared().administrator());
        Running running = new Running(Optional.of(configuration(directory, proxy)))) {
      Running.Ask mia = running.as(running.member("mia", "sailors", "developer"));
      proxy.fallSilent();
      Object waiting = begin(mia, score("far", "away", MANY));
      for (int i = 0; i < 5; i++) {
        Object quick = begin(mia, score("near" + i, "up", 4));
        awaitStatus(mia, quick, "completed");
      }
      assertThat(status(mia, waiting)).isIn("running", "waiting");
      await()
          .untilAsserted(
              () ->
                  assertThat(clusters(mia))
                      .containsEntry("up", "healthy")
                      .containsEntry("away", "unreachable"));
      Map<String, Object> away = mia.get("/api/clusters/away").expect(200).json();
      assertThat(away.get("message").toString()).isNotBlank();
      proxy.speak();
      awaitStatus(mia, waiting, "completed");
      await().untilAsserted(() -> assertThat(clusters(mia)).containsEntry("away", "healthy"));
    }
  }

  private static Object begin(Running.Ask caller, String score) {
    Running.Reply reply = caller.yaml("/api/specs", score);
    assertThat(reply.status()).as(reply.body()).isIn(200, 201);
    return reply.json().get("deploymentId");
  }

  private static String status(Running.Ask caller, Object deployment) {
    return String.valueOf(caller.get("/api/deployments/" + deployment).json().get("status"));
  }

  private static void awaitStatus(Running.Ask caller, Object deployment, String status) {
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(() -> assertThat(status(caller, deployment)).isEqualTo(status));
  }

  private static Map<String, String> clusters(Running.Ask caller) {
    Map<String, String> states = new TreeMap<>();
    for (Object each : (List<?>) caller.get("/api/clusters").expect(200).json().get("data")) {
      Map<String, Object> cluster = Values.map(each);
      states.put(String.valueOf(cluster.get("name")), String.valueOf(cluster.get("status")));
    }
    return states;
  }
}
