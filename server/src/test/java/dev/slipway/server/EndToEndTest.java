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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** From a document to something real, over HTTP only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndToEndTest {
  private Running running;
  private String dora;
  private Path ready;
  private Path count;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path provider = Files.createDirectories(directory.resolve("tools/workflows"));
    Files.writeString(
        directory.resolve("tools/provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypes: [fragile, patient]
        workflows:
          - {name: make-fragile, file: ./workflows/fragile.yaml, category: provisioner,
             resourceType: fragile}
          - {name: make-patient, file: ./workflows/patient.yaml, category: provisioner,
             resourceType: patient}
          - {name: onboard, file: ./workflows/onboard.yaml, category: goldenpath,
             description: Welcomes a new patient}
        """);
    Files.writeString(
        provider.resolve("fragile.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-fragile}
        spec:
          steps:
            - name: break
              type: shell
              config:
                script: |
                  echo about to break
                  exit 3
        """);
    ready = directory.resolve("ready");
    count = directory.resolve("count");
    Files.writeString(
        provider.resolve("patient.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-patient}
        spec:
          steps:
            - name: first
              type: shell
              config:
                script: echo once >> %s
            - name: second
              type: shell
              dependsOn: [first]
              config:
                script: test -f %s
        """
            .formatted(count, ready));
    Files.writeString(
        provider.resolve("onboard.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: onboard}
        spec:
          parameters:
            - {name: person, type: string, required: true}
          steps:
            - name: greet
              type: shell
              config:
                script: echo hello {{ .parameters.person }}
            - name: ask
              type: approval
              dependsOn: [greet]
              config:
                message: may {{ .parameters.person }} come in?
        """);
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(
        config,
        """
        providers:
          - source: filesystem
            path: %s
        """
            .formatted(directory.resolve("tools")));
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private void await(String path, String field, String wanted) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(dora).get(path).expect(200).json())
                    .containsEntry(field, wanted));
  }

  @Test
  void a_volume_becomes_real() {
    var made = running.as(dora).yaml("/api/specs", ApplicationTest.score("real")).expect(201);
    await("/api/applications/real", "state", "active");
    await("/api/deployments/" + made.json().get("deploymentId"), "status", "completed");
    var app = running.as(dora).get("/api/applications/real").expect(200).json();
    Map<?, ?> resource = (Map<?, ?>) ((List<?>) app.get("resources")).getFirst();
    var outputs =
        running.as(dora).get("/api/resources/" + resource.get("id") + "/outputs").expect(200);
    assertThat(outputs.json()).isNotEmpty();
    var run = running.as(dora).get("/api/workflows/" + resource.get("runId")).expect(200).json();
    assertThat(run).containsEntry("status", "succeeded").containsEntry("provider", "volume");
    assertThat((List<?>) run.get("steps")).isNotEmpty();
    running.as(dora).get("/api/applications/real/workload").expect(200);
    assertThat(running.asNobody().get("/metrics").expect(200).body())
        .containsPattern(
            "provisioning_duration_seconds_count\\{provider=\"volume\",resource_type=\"volume\"}"
                + " [1-9]")
        .containsPattern("slipway_runs_total\\{provider=\"volume\",result=\"succeeded\".*} [1-9]")
        .containsPattern("slipway_start_latency_seconds_count [1-9]");
    running.as(dora).delete("/api/applications/real?confirm=real").expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(dora).get("/api/applications/real").status() == 404);
  }

  @Test
  void what_fails_says_why_and_can_be_tried_again() {
    String score = ApplicationTest.score("broken").replace("volume", "fragile");
    running.as(dora).yaml("/api/specs", score).expect(201);
    await("/api/applications/broken", "state", "failed");
    var app = running.as(dora).get("/api/applications/broken").expect(200).json();
    Map<?, ?> resource = (Map<?, ?>) ((List<?>) app.get("resources")).getFirst();
    String run = resource.get("runId").toString();
    var shown = running.as(dora).get("/api/workflows/" + run).expect(200).json();
    assertThat(shown).containsEntry("status", "failed").containsKey("error");
    assertThat(
            running
                .as(dora)
                .with("Accept", "text/plain")
                .get("/api/workflows/" + run + "/steps/break/logs?follow=true")
                .expect(200)
                .body())
        .contains("about to break");
    assertThat(running.as(dora).get("/api/applications/broken/explain").expect(200).body())
        .contains("break");
    var retried = running.as(dora).post("/api/workflows/" + run + "/retry", "{}").expect(202);
    assertThat(retried.json().get("id")).isNotEqualTo(run);
    running.as(dora).post("/api/workflows/" + run + "/cancel", "").expect(409);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.asNobody().get("/metrics").body())
                    .containsPattern(
                        "failures_total\\{error=\"step\",provider=\"tools\",resource_type=\"fragile\"}"
                            + " [1-9]"));
  }

  @Test
  void a_retry_begins_at_the_step_that_failed() throws IOException {
    String score = ApplicationTest.score("patience").replace("volume", "patient");
    running.as(dora).yaml("/api/specs", score).expect(201);
    await("/api/applications/patience", "state", "failed");
    var app = running.as(dora).get("/api/applications/patience").expect(200).json();
    Map<?, ?> resource = (Map<?, ?>) ((List<?>) app.get("resources")).getFirst();
    String run = resource.get("runId").toString();
    Files.writeString(ready, "now");
    var retried = running.as(dora).post("/api/workflows/" + run + "/retry", "{}").expect(202);
    assertThat(retried.json()).containsEntry("parentRunId", run);
    await("/api/applications/patience", "state", "active");
    assertThat(count).hasContent("once");
    running.as(dora).post("/api/workflows/" + run + "/retry", "{}").expect(409);
  }

  @Test
  void a_golden_path_runs_and_waits_for_the_approval_of_another_user() {
    running.as(dora).post("/api/golden-paths/onboard/execute", "{}").expect(422);
    var started =
        running
            .as(dora)
            .post("/api/golden-paths/onboard/execute", "{\"parameters\":{\"person\":\"Ann\"}}")
            .expect(202);
    String run = "/api/workflows/" + started.json().get("id");
    await(run, "status", "waiting");
    var asked = running.as(dora).get("/api/approvals?state=pending").expect(200).json();
    Map<?, ?> approval = (Map<?, ?>) ((List<?>) asked.get("data")).getFirst();
    assertThat(approval.get("message")).isEqualTo("may Ann come in?");
    String decide = "/api/approvals/" + approval.get("id") + "/approve";
    running.as(dora).post(decide, "{}").expect(403);
    String paul = running.member("paul", "red", "approver");
    running.as(paul).post(decide, "{\"comment\":\"welcome\"}").expect(200);
    await(run, "status", "succeeded");
    assertThat(running.as(dora).get("/api/golden-paths").expect(200).body()).contains("onboard");
    running
        .as(dora)
        .yaml("/api/workflows/golden-paths/onboard/execute?param.person=Bob", "")
        .expect(202);
  }

  @Test
  void a_waiting_run_can_be_cancelled_and_tried_again_without_what_is_done() {
    var started =
        running
            .as(dora)
            .post("/api/golden-paths/onboard/execute", "{\"parameters\":{\"person\":\"Cid\"}}")
            .expect(202);
    String run = "/api/workflows/" + started.json().get("id");
    await(run, "status", "waiting");
    running.as(dora).post(run + "/cancel", "").expect(202);
    await(run, "status", "cancelled");
    running.as(dora).post(run + "/cancel?force=true", "").expect(403);
    running.as(dora).post(run + "/retry", "{\"from\":\"gret\"}").expect(422);
    var again = running.as(dora).post(run + "/retry", "{}").expect(202).json();
    assertThat(again).containsEntry("parentRunId", started.json().get("id"));
    Map<?, ?> greet = (Map<?, ?>) ((List<?>) again.get("steps")).getFirst();
    assertThat(greet.get("carried")).isEqualTo(true);
    await("/api/workflows/" + again.get("id"), "status", "waiting");
  }

  @Test
  void providers_are_shown_and_reloaded() {
    running.as(dora).get("/api/providers").expect(200);
    running.as(dora).get("/api/providers/tools").expect(200);
    running.as(dora).get("/api/providers/stats").expect(200);
    running.as(dora).post("/api/admin/reload", "").expect(403);
    running.asAdmin().post("/api/admin/reload", "").expect(200);
    running.asAdmin().post("/api/providers/tools/refresh", "").expect(200);
    running.asAdmin().get("/api/admin/providers").expect(200);
    running.asAdmin().get("/api/admin/config").expect(200);
  }
}
