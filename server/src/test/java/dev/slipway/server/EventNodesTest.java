package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Events, approvals and plans name the nodes that they are about. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventNodesTest {
  private static final String WORKFLOW =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: %s}
      steps:
        - %s
      """;

  private Running running;
  private String rosa;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows:
          - {name: top, file: ./top.yaml, category: goldenpath}
          - {name: middle, file: ./middle.yaml}
          - {name: bottom, file: ./bottom.yaml}
        """);
    workflow(tools, "top", "{name: down, workflow: middle}");
    workflow(tools, "middle", "{name: down, workflow: bottom}");
    workflow(tools, "bottom", "{name: ask, type: approval, message: 'Go on?'}");
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    rosa = running.member("rosa", "red", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static void workflow(Path tools, String name, String step) throws IOException {
    Files.writeString(tools.resolve(name + ".yaml"), WORKFLOW.formatted(name, step));
  }

  /** As readers get them, of one root. */
  private List<Map<String, Object>> events(String root) {
    return running.events().stream()
        .map(event -> Json.readMap(running.view(event)))
        .filter(event -> root.equals(event.get("root")))
        .toList();
  }

  @Test
  void at_the_root_of_runs_that_call_each_other_is_the_one_that_no_run_called() {
    Object top =
        running.as(rosa).post("/api/golden-paths/top/execute", "{}").expect(202).json().get("id");
    Map<String, Object> approval =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(this::pending, Optional::isPresent)
            .orElseThrow();
    assertThat(approval)
        .containsEntry("root", "workflow:" + top)
        .containsEntry("node", "workflow:" + approval.get("runId"));
    String decide = "/api/approvals/" + approval.get("id");
    assertThat(running.asAdmin().post(decide + "/approve", "{}").expect(200).json())
        .containsEntry("root", "workflow:" + top);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> running.as(rosa).get("/api/workflows/" + top).expect(200).json().get("status"),
            "succeeded"::equals);

    List<Map<String, Object>> events = events("workflow:" + top);
    assertThat(events.stream().filter(e -> e.get("type").equals("workflow.completed"))).hasSize(3);
    assertThat(events)
        .extracting(e -> e.get("type"))
        .contains("approval.requested", "approval.granted");
    assertThat(events.stream().map(e -> e.get("node")).distinct()).hasSize(3);
  }

  private Optional<Map<String, Object>> pending() {
    return ((List<?>)
            running.asAdmin().get("/api/approvals?state=pending").expect(200).json().get("data"))
        .stream().map(Values::map).findFirst();
  }

  @Test
  void all_events_of_an_application_have_it_at_the_root() {
    Map<String, Object> plan =
        running
            .asAdmin()
            .yaml("/api/workflow-analysis", ApplicationTest.score("noded"))
            .expect(200)
            .json();
    Map<String, Object> kept =
        running.asAdmin().get("/api/plans/" + plan.get("hash")).expect(200).json();
    for (Map<String, Object> one : List.of(plan, kept)) {
      assertThat(Values.map(((List<?>) one.get("items")).getFirst()))
          .containsEntry("node", "resource:volume.default#noded.files");
    }

    new Deployer(running).deploy(ApplicationTest.score("noded"));
    List<Map<String, Object>> events = events("application:noded");
    assertThat(events.stream().filter(e -> "noded".equals(e.get("app_name"))))
        .hasSameSizeAs(events);
    assertThat(node(events, "spec.created")).isEqualTo("spec:noded");
    assertThat(node(events, "deployment.completed")).isEqualTo("application:noded");
    assertThat(node(events, "resource.active")).isEqualTo("resource:volume.default#noded.files");
    assertThat(node(events, "provider.resolved")).isEqualTo("resource:volume.default#noded.files");
    assertThat(node(events, "step.completed")).startsWith("workflow:");
  }

  private static String node(List<Map<String, Object>> events, String type) {
    return events.stream()
        .filter(event -> event.get("type").equals(type))
        .map(event -> event.get("node").toString())
        .findFirst()
        .orElse("no event");
  }
}
