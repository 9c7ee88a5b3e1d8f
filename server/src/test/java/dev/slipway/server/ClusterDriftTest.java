package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Objects in a real cluster that other clients change, on a real server that corrects drift. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterDriftTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private Running running;
  private Deployer deployer;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path workflows = Files.createDirectories(directory.resolve("maps/workflows"));
    Files.writeString(
        directory.resolve("maps/provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: maps, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: map
              operations:
                create: {workflow: make}
                update: {workflow: make}
                read: {workflow: look}
        workflows:
          - {name: make, file: ./workflows/make.yaml, operation: create}
          - {name: look, file: ./workflows/look.yaml, operation: read}
        """);
    workflow(workflows, "make", "apply");
    workflow(workflows, "look", "check");
    Files.copy(TestControlPlane.kubeconfig(), directory.resolve("kubeconfig"));
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(
        config,
        """
        observe: {drift: correct}
        clusters:
          east: {kubeconfig: '${file:kubeconfig}', namespaces: ['{team}-*']}
        providers:
          - {source: filesystem, path: ./maps, grants: {clusters: [east]}}
        """);
    running = new Running(Optional.of(config));
    deployer = new Deployer(running);
  }

  private static void workflow(Path directory, String name, String operation) throws IOException {
    Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        parameters: [{name: colour, type: string, default: red}]
        variables:
          namespace: '{{ .context.team }}-{{ .context.environment.name }}'
        steps:
          %s
          - name: objects
            type: kubernetes
            config:
              operation: %s
              conflicts: force
              namespace: '{{ .variables.namespace }}'
              manifest: |
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: '{{ .parameters.resource_name }}'}
                data: {colour: '{{ .parameters.colour }}'}
        """
            .formatted(
                name,
                operation.equals("apply")
                    ? "- {name: namespace, type: kubernetes, config: {operation: create-namespace,"
                        + " name: '{{ .variables.namespace }}'}}"
                    : "",
                operation));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private Resource<ConfigMap> live(String name) {
    return TestControlPlane.client().configMaps().inNamespace(team() + "-default").withName(name);
  }

  private String team() {
    return String.valueOf(deployer.resource("shop", "first").get("team"));
  }

  private void awaitHealthy(String name) {
    Awaitility.await(name + " is healthy")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(deployer.resource("shop", name))
                    .containsEntry("state", "active")
                    .containsEntry("health", "Healthy"));
  }

  private static String score() {
    return """
        apiVersion: score.dev/v1b1
        metadata: {name: shop}
        resources:
          first: {type: map}
          second: {type: map}
          third: {type: map, metadata: {annotations: {slipway.dev/drift: report}}}
        """;
  }

  private Duration reverted(Runnable change, String name) {
    long began = System.nanoTime();
    change.run();
    Awaitility.await(name + " is as it was applied")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              ConfigMap map = live(name).get();
              return map != null && "red".equals(map.getData().get("colour"));
            });
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** What a client changes that calls itself a name. */
  private void paint(String name, String client) {
    live(name)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(client)
                .build(),
            "{\"data\":{\"colour\":\"blue\"}}");
  }

  private String reason(String name) {
    return String.valueOf(deployer.resource("shop", name).get("reason"));
  }

  @Test
  void what_another_client_changes_or_deletes_is_put_back_at_once_but_not_without_end() {
    deployer.deploy(score());
    awaitHealthy("first");
    awaitHealthy("second");
    List<Duration> took = new ArrayList<>();
    took.add(reverted(() -> live("first").delete(), "first"));
    awaitHealthy("first");
    for (int i = 0; i < 3; i++) {
      awaitHealthy("second");
      took.add(reverted(() -> paint("second", "autopilot"), "second"));
    }
    Collections.sort(took);
    System.out.println("drift was reverted in " + took);

    awaitHealthy("second");
    paint("second", "autopilot");
    Awaitility.await("a fight that Slipway leaves")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(reason("second"))
                    .contains("'autopilot' changed data.colour", "not again before"));
    assertThat(live("second").get().getData()).containsEntry("colour", "blue");
    assertThat(running.asAdmin().get("/api/applications/shop/explain").expect(200).body())
        .contains("autopilot", "not again before");

    awaitHealthy("third");
    paint("third", "kubectl-edit");
    Awaitility.await("drift that is only reported")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(reason("third")).contains("'kubectl-edit' changed"));
    assertThat(deployer.resource("shop", "third")).containsEntry("state", "degraded");
    assertThat(live("third").get().getData()).containsEntry("colour", "blue");
    assertThat(running.asAdmin().get("/metrics").body())
        .contains("slipway_watch_staleness_seconds{cluster=\"east\",kind=\"ConfigMap\"}")
        .contains("slipway_watched_objects{cluster=\"east\",kind=\"ConfigMap\"} 3");
  }
}
