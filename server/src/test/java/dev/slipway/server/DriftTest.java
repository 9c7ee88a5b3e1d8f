package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is changed by hand, without its provider. */
class DriftTest {
  private Running running;
  private String dora;
  private Path thing;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    thing = directory.resolve("thing");
    Path workflows = Files.createDirectories(directory.resolve("notes/workflows"));
    Files.writeString(
        directory.resolve("notes/provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: notes, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: note
              operations:
                create: {workflow: create-note}
                read: {workflow: read-note}
        workflows:
          - {name: create-note, file: ./workflows/create.yaml, operation: create}
          - {name: read-note, file: ./workflows/read.yaml, operation: read}
        """);
    workflow(workflows, "create", "echo hello > " + thing + "; echo OUTPUT_text=hello");
    workflow(workflows, "read", "echo OUTPUT_text=$(cat " + thing + ")");
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(
        config,
        "providers:\n  - {source: filesystem, path: %s}\n".formatted(directory.resolve("notes")));
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
  }

  private static void workflow(Path directory, String name, String script) throws IOException {
    Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s-note}
        steps:
          - name: look
            type: shell
            config:
              script: |
                %s
            outputs: [text]
        outputs:
          text: '{{ .steps.look.output.text }}'
          api_token: 'token of {{ .steps.look.output.text }}'
        """
            .formatted(name, script));
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private Map<String, Object> await(String path, String field, String wanted) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(dora).get(path).expect(200).json())
                    .containsEntry(field, wanted));
    return running.as(dora).get(path).json();
  }

  private void look(String resource) {
    var started = running.as(dora).post(resource + "/refresh", "").expect(202);
    await("/api/workflows/" + started.json().get("runId"), "status", "succeeded");
  }

  @Test
  void a_look_finds_drift_and_later_that_it_is_gone() throws IOException {
    var made =
        running
            .as(dora)
            .post(
                "/api/resources", "{\"application\":\"memo\",\"name\":\"note\",\"type\":\"note\"}")
            .expect(201);
    String resource = "/api/resources/" + made.json().get("id");
    await("/api/applications/memo", "state", "active");
    look(resource);
    assertThat(running.as(dora).get(resource).json()).containsEntry("state", "active");

    Files.writeString(thing, "tampered");
    look(resource);
    Map<String, Object> drifted = await(resource, "state", "degraded");
    assertThat(drifted).containsEntry("health", "Degraded");
    assertThat(((Map<?, ?>) drifted.get("reason")).get("code")).isEqualTo("drift");
    assertThat(drifted.get("reason").toString())
        .contains("api_token, text")
        .doesNotContain("tampered")
        .doesNotContain("hello");
    assertThat(((Map<?, ?>) drifted.get("outputs")).get("text")).isEqualTo("hello");
    await("/api/applications/memo", "state", "degraded");
    assertThat(running.as(dora).get("/api/applications/memo/explain").expect(200).body())
        .contains("not as it was left");

    Files.writeString(thing, "hello");
    look(resource);
    assertThat(await(resource, "state", "active").get("reason")).isNull();
    await("/api/applications/memo", "state", "active");
    List<?> history = (List<?>) running.as(dora).get(resource + "/transitions").json().get("data");
    assertThat(history.subList(history.size() - 2, history.size()).toString())
        .contains("actor=observer", "to=degraded", "to=active", "drift: api_token, text");
  }
}
