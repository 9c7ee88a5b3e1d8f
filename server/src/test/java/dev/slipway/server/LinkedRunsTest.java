package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

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

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LinkedRunsTest {
  private Running running;
  private String dora;
  private Path ready;
  private Path made;
  private Path mended;
  private Path deeds;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    ready = directory.resolve("ready");
    made = directory.resolve("made");
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows:
          - {name: welcome, file: ./welcome.yaml, category: goldenpath}
          - {name: greet, file: ./greet.yaml}
          - {name: stumble, file: ./stumble.yaml, category: goldenpath}
          - {name: tumble, file: ./tumble.yaml, category: goldenpath}
        """);
    Files.writeString(
        tools.resolve("welcome.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: welcome}
        steps:
          - {name: prepare, type: shell, script: 'echo once >> %s'}
          - {name: greeting, workflow: greet, parameters: {person: Ann}}
          - {name: show, type: shell, script: 'echo said {{ .steps.greeting.output.words }}'}
        """
            .formatted(made));
    Files.writeString(
        tools.resolve("greet.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: greet}
        parameters: [{name: person, type: string, required: true}]
        steps:
          - name: say
            type: shell
            script: |
              test -f %s || exit 5
              echo OUTPUT_words=hello-{{ .parameters.person }}
            outputs: [words]
        outputs: {words: '{{ .steps.say.output.words }}'}
        """
            .formatted(ready));
    Files.writeString(
        tools.resolve("stumble.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: stumble}
        steps:
          - name: a
            type: shell
            script: echo a
            compensate: [{name: undo-a, type: shell, script: 'echo undoing a'}]
          - name: b
            type: shell
            script: echo b
            compensate: [{name: undo-b, type: shell, script: 'echo cannot; exit 4'}]
          - {name: fall, type: shell, script: exit 3, on_error: rollback}
        """);
    mended = directory.resolve("mended");
    deeds = directory.resolve("deeds");
    Files.writeString(
        tools.resolve("tumble.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: tumble}
        steps:
          - name: a
            type: shell
            script: echo a >> %1$s
            compensate: [{name: undo-a, type: shell, script: 'echo undo-a >> %1$s'}]
          - name: b
            type: shell
            script: echo b >> %1$s
            compensate: [{name: undo-b, type: shell, script: 'test -f %2$s && echo undo-b >> %1$s'}]
          - {name: fall, type: shell, script: exit 3, on_error: rollback}
        """
            .formatted(deeds, mended));
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void a_failed_child_is_linked_and_a_retry_runs_it_anew_without_what_is_done() throws IOException {
    Map<String, Object> run = ended(execute("welcome"));
    assertThat(run).containsEntry("status", "failed");
    Map<String, Object> child = item(run, "children", 0);
    assertThat(child)
        .containsEntry("step", "greeting")
        .containsEntry("workflow", "greet")
        .containsEntry("status", "failed");
    Map<String, Object> shown = show(child.get("id"));
    assertThat(shown)
        .containsEntry("kind", "child")
        .containsEntry("parentRunId", run.get("id"))
        .containsEntry("parentStep", "greeting");
    assertThat(running.as(dora).get("/api/workflows?parent=" + run.get("id")).expect(200).json())
        .containsEntry("total", 1L);
    running.as(dora).post("/api/workflows/" + child.get("id") + "/retry", "{}").expect(409);

    Files.writeString(ready, "now");
    Object again =
        running
            .as(dora)
            .post("/api/workflows/" + run.get("id") + "/retry", "{}")
            .expect(202)
            .json()
            .get("id");

    Map<String, Object> retried = ended(again);
    assertThat(retried).containsEntry("status", "succeeded").containsEntry("kind", "golden-path");
    assertThat(item(retried, "children", 0)).containsEntry("status", "succeeded");
    assertThat(item(retried, "steps", 0)).containsEntry("carried", true);
    assertThat(Values.map(item(retried, "steps", 1).get("outputs")))
        .containsEntry("words", "hello-Ann");
    assertThat(made).hasContent("once");

    Object from =
        running
            .as(dora)
            .post("/api/workflows/" + run.get("id") + "/retry", "{\"from\":\"greeting\"}")
            .expect(202)
            .json()
            .get("id");
    assertThat(ended(from)).containsEntry("status", "succeeded");
  }

  @Test
  void a_rollback_is_a_run_that_names_what_could_not_be_undone() {
    Map<String, Object> run = ended(execute("stumble"));

    Map<String, Object> rollback = Values.map(run.get("rollback"));
    assertThat(run).containsEntry("status", "failed");
    assertThat(rollback).containsEntry("status", "incomplete");
    Map<String, Object> left = item(rollback, "notUndone", 0);
    assertThat(left).containsEntry("step", "b/undo-b");
    assertThat(Values.map(left.get("error")).get("message").toString()).contains("4");
    assertThat(item(run, "steps", 0)).containsEntry("status", "rolled-back");
    assertThat(item(run, "steps", 1)).containsEntry("status", "succeeded");
    Map<String, Object> undoing = show(rollback.get("runId"));
    assertThat(undoing).containsEntry("kind", "rollback").containsEntry("status", "partial");
    assertThat(item(undoing, "steps", 0))
        .containsEntry("name", "b/undo-b")
        .containsEntry("type", "shell");
    assertThat(
            running
                .as(dora)
                .get("/api/workflows/" + rollback.get("runId") + "/steps/a%2Fundo-a/logs")
                .expect(200)
                .body())
        .contains("undoing a");
  }

  @Test
  void a_rollback_that_was_incomplete_is_tried_again_for_what_was_not_undone() throws IOException {
    Map<String, Object> failed = ended(execute("tumble"));
    String retry = "/api/workflows/" + failed.get("id") + "/retry";
    Object first = Values.map(failed.get("rollback")).get("runId");
    assertThat(Values.map(failed.get("rollback"))).containsEntry("status", "incomplete");
    running.as(dora).post(retry, "{\"rollback\":true,\"from\":\"a\"}").expect(422);

    Object vain = again(retry, "vain");
    assertThat(again(retry, "vain")).isEqualTo(vain).isNotEqualTo(first);
    assertThat(ended(vain)).containsEntry("status", "partial").containsEntry("kind", "rollback");
    assertThat(Values.map(show(failed.get("id")).get("rollback")))
        .containsEntry("status", "incomplete")
        .containsEntry("runId", vain);

    Files.writeString(mended, "now");
    assertThat(ended(again(retry, "mended"))).containsEntry("status", "succeeded");
    Map<String, Object> undone = show(failed.get("id"));
    assertThat(Values.map(undone.get("rollback")))
        .containsEntry("status", "complete")
        .containsEntry("notUndone", List.of());
    assertThat(undone).containsEntry("status", "failed");
    assertThat(deeds).hasContent("a\nb\nundo-a\nundo-b");
    running.as(dora).post(retry, "{\"rollback\":true}").expect(409);

    ended(running.as(dora).post(retry, "{}").expect(202).json().get("id"));
    assertThat(Files.readString(deeds)).startsWith("a\nb\nundo-a\nundo-b\na\nb\n");
    running.as(dora).post(retry, "{\"rollback\":true}").expect(409);
  }

  private Object again(String retry, String key) {
    return running
        .as(dora)
        .with("Idempotency-Key", key)
        .post(retry, "{\"rollback\":true}")
        .expect(202)
        .json()
        .get("id");
  }

  private Object execute(String path) {
    return running
        .as(dora)
        .post("/api/golden-paths/" + path + "/execute", "{}")
        .expect(202)
        .json()
        .get("id");
  }

  private Map<String, Object> show(Object run) {
    return running.as(dora).get("/api/workflows/" + run).expect(200).json();
  }

  private Map<String, Object> ended(Object run) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> show(run).get("completedAt") != null);
    return show(run);
  }

  private static Map<String, Object> item(Map<String, Object> tree, String list, int index) {
    return Values.map(((List<?>) tree.get(list)).get(index));
  }
}
