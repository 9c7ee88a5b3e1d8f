package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Parameters by which a provider finds the thing again: fixed by the create run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdentifyingTest {
  private Running running;
  private Database database;
  private Path written;
  private Path blocked;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    written = Files.writeString(directory.resolve("told"), "");
    blocked = directory.resolve("blocked-half");
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: shelf
              operations:
                create: {workflow: make}
                read: {workflow: look}
                update: {workflow: change}
                delete: {workflow: drop}
        workflows:
          - {name: make, file: ./make.yaml, operation: create}
          - {name: look, file: ./look.yaml, operation: read}
          - {name: change, file: ./change.yaml, operation: update}
          - {name: drop, file: ./drop.yaml, operation: delete}
        """);
    workflow(tools, "make", "test ! -f " + directory + "/blocked-{{ .parameters.app_name }}");
    workflow(tools, "look", "true");
    workflow(tools, "change", "true");
    workflow(tools, "drop", "true");
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    database = Database.open(Running.url(running.database).address(), 2);
  }

  private void workflow(Path tools, String name, String check) throws IOException {
    Files.writeString(
        tools.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        parameters:
          - {name: label, type: string, default: 'of-{{ .parameters.app_name }}', identifying: true}
          - {name: size, type: integer, default: 1}
        steps:
          - name: tell
            type: shell
            script: |
              echo %s {{ .parameters.app_name }} {{ .parameters.label }} {{ .parameters.size }} >> %s
              %s
        """
            .formatted(name, name, written, check));
  }

  @AfterAll
  void stop() {
    database.close();
    running.close();
  }

  private static String score(String name, String params) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      books: {type: shelf, params: {%s}}
    """
        .formatted(name, params);
  }

  private Map<String, Object> resource(String application) {
    var shown = running.asAdmin().get("/api/applications/" + application).expect(200).json();
    return Values.map(((List<?>) shown.get("resources")).getFirst());
  }

  private void said(String line, String application, String state) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(Files.readString(written)).contains(line + "\n");
              assertThat(resource(application)).containsEntry("state", state);
            });
  }

  @Test
  void later_runs_have_the_value_of_the_create_run_and_a_change_is_a_replacement()
      throws IOException {
    running.asAdmin().yaml("/api/specs", score("kept", "label: one")).expect(201);
    said("make kept one 1", "kept", "active");

    var refused =
        running.asAdmin().yaml("/api/specs", score("kept", "label: two")).expect(422).json();
    assertThat(Values.map(((List<?>) refused.get("errors")).getFirst()))
        .containsEntry("code", "replacement-needed")
        .containsEntry("path", "resources.books.params.label")
        .containsEntry("line", 4L);

    running.asAdmin().yaml("/api/specs", score("kept", "size: 2")).expect(200);
    said("change kept one 2", "kept", "active");

    Object hash =
        running
            .asAdmin()
            .yaml("/api/specs?replace=books", score("kept", "label: two"))
            .expect(200)
            .json()
            .get("planHash");
    assertThat(running.asAdmin().get("/api/plans/" + hash).expect(200).body())
        .contains("\"replace\"", "identity-changed");
    said("make kept two 1", "kept", "active");
    assertThat(Files.readString(written))
        .contains("drop kept one 2\n")
        .doesNotContain("drop kept two");

    // Whatever else is on record, the create run's value counts.
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE resources SET applied_params = '{\"label\": \"stolen\"}',"
                        + " outputs = '{\"label\": \"stolen\"}' WHERE identity LIKE '%kept%'"));
    running
        .asAdmin()
        .post("/api/resources/" + resource("kept").get("id") + "/refresh", "{}")
        .expect(202);
    said("look kept two 1", "kept", "active");
    running.asAdmin().delete("/api/applications/kept?confirm=kept").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.asAdmin().get("/api/applications/kept").status() == 404);
    assertThat(Files.readString(written)).contains("drop kept two 1\n").doesNotContain("stolen");
  }

  @Test
  void what_a_failed_create_run_began_goes_before_it_is_created_under_another_name()
      throws IOException {
    Files.writeString(blocked, "");
    running.asAdmin().yaml("/api/specs", score("half", "label: left")).expect(201);
    said("make half left 1", "half", "failed");
    running.asAdmin().yaml("/api/specs", score("half", "label: right")).expect(422);
    Files.delete(blocked);
    running.asAdmin().yaml("/api/specs?replace=books", score("half", "label: right")).expect(200);
    said("make half right 1", "half", "active");
    assertThat(Files.readString(written)).contains("drop half left 1\n");
  }

  @Test
  void a_resource_without_a_record_is_found_by_what_it_returned() throws IOException {
    running.asAdmin().yaml("/api/specs", score("older", "")).expect(201);
    said("make older of-older 1", "older", "active");
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE resources SET identifying = NULL, outputs = '{\"label\": \"returned\"}'"
                        + " WHERE identity LIKE '%older%'"));
    running.asAdmin().yaml("/api/specs", score("older", "size: 3, label: other")).expect(422);
    running.asAdmin().yaml("/api/specs", score("older", "size: 3")).expect(200);
    said("change older returned 3", "older", "active");
  }
}
