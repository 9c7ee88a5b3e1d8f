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

/** The names that the engine injects, on every way by which a document could set one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReservedParametersTest {
  private static final String ECHO =
      """
      echo {{ .parameters.app_name }} {{ .parameters.resource_name }} {{ .parameters.environment }}\
       {{ .parameters.operation }} {{ .parameters.namespace }}\
      """;
  private Running running;
  private Database database;
  private String rosa;
  private Path written;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    written = directory.resolve("told");
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: thing
              operations: {create: {workflow: make}, update: {workflow: make}, delete: {workflow: drop}}
        workflows:
          - {name: make, file: ./make.yaml}
          - {name: drop, file: ./drop.yaml}
          - {name: path, file: ./path.yaml, category: goldenpath}
          - {name: called, file: ./called.yaml}
        """);
    workflow(
        tools,
        "make",
        "steps:\n  - {name: ask, type: approval}\n  - {name: tell, type: shell, script: '%s >> %s'}\n"
            .formatted(ECHO, written));
    workflow(
        tools,
        "drop",
        "steps:\n  - {name: tell, type: shell, script: '%s >> %s'}\n".formatted(ECHO, written));
    workflow(
        tools,
        "path",
        "parameters: [{name: app_name}, {name: word}]\nsteps: [{name: call, workflow: called}]\n");
    workflow(
        tools,
        "called",
        """
        parameters: [{name: app_name}, {name: team_id}]
        steps:
          - {name: tell, type: shell, script: 'echo app={{ .parameters.app_name }} {{ .parameters.team_id }} >> %s'}
        """
            .formatted(written));
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    database = Database.open(Running.url(running.database).address(), 2);
    rosa = running.member("rosa", "red", "developer");
  }

  private static void workflow(Path tools, String name, String body) throws IOException {
    Files.writeString(
        tools.resolve(name + ".yaml"),
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: %s}\n%s"
            .formatted(name, body));
  }

  @AfterAll
  void stop() {
    database.close();
    running.close();
  }

  private static String score(String name, String type, String params) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      files: {type: %s, params: %s}
    """
        .formatted(name, type, params);
  }

  @Test
  void a_document_that_sets_one_is_refused_with_its_position_before_anything_is_stored() {
    String attack =
        score("attack", "volume", "{environment: \"..\", app_name: \"..\", resource_name: x}");
    for (String path : List.of("/api/applications", "/api/specs?dryRun=true")) {
      var errors = (List<?>) running.as(rosa).yaml(path, attack).expect(422).json().get("errors");
      assertThat(errors)
          .extracting(e -> Values.map(e).get("code"))
          .containsOnly("reserved-parameter")
          .hasSize(3);
      assertThat(Values.map(errors.getFirst()))
          .containsEntry("path", "resources.files.params.environment")
          .containsEntry("line", 4L)
          .containsEntry("column", 34L);
    }
    running.as(rosa).get("/api/applications/attack").expect(404);
  }

  @Test
  void a_proposal_is_refused_where_the_workflow_does_not_declare_it() {
    var reply =
        running
            .as(rosa)
            .yaml("/api/specs", score("attack", "volume", "{namespace: kube-system}"))
            .expect(422)
            .json();
    assertThat(Values.map(((List<?>) reply.get("errors")).getFirst()))
        .containsEntry("code", "reserved-parameter")
        .containsEntry("path", "resources.files.params.namespace");
  }

  @Test
  void a_golden_path_takes_none_from_its_caller_and_hands_none_on() throws IOException {
    var refused =
        running
            .as(rosa)
            .post("/api/golden-paths/path/execute", "{\"parameters\":{\"app_name\":\"bluefarm\"}}")
            .expect(422)
            .json();
    assertThat(refused.toString()).contains("reserved-parameter", "the engine sets 'app_name'");
    Object run =
        running
            .as(rosa)
            .post("/api/golden-paths/path/execute", "{\"parameters\":{\"word\":\"x\"}}")
            .expect(202)
            .json()
            .get("id");
    until("/api/workflows/" + run, "status", "succeeded");
    assertThat(Files.readString(written)).contains("app= red\n");
  }

  @Test
  void values_of_runs_and_resources_that_an_earlier_version_stored_do_not_reach_a_step()
      throws IOException {
    running.as(rosa).yaml("/api/specs", score("older", "thing", "{size: 1}")).expect(201);
    Object approval = pending();
    database
        .jdbi()
        .useHandle(
            handle -> {
              handle.execute(
                  """
                  UPDATE runs SET inputs = jsonb_set(inputs::jsonb, '{parameters}',
                    inputs::jsonb -> 'parameters' || '{"app_name": "bluefarm", "environment": "..",
                      "resource_name": "x", "operation": "delete"}')::json
                   WHERE application = 'older'
                  """);
              handle.execute(
                  """
                  UPDATE resources SET attempted_params = attempted_params
                         || '{"app_name": "bluefarm", "operation": "create"}'
                   WHERE name = 'files'
                  """);
            });
    running.asAdmin().post("/api/approvals/" + approval + "/approve", "{}").expect(200);
    until("/api/applications/older", "state", "active");
    assertThat(Files.readString(written)).contains("older files default create older-default\n");
    running.as(rosa).delete("/api/applications/older?confirm=older").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(rosa).get("/api/applications/older").status() == 404);
    assertThat(Files.readString(written))
        .contains("older files default delete older-default\n")
        .doesNotContain("bluefarm");
  }

  private Object pending() {
    List<Map<String, Object>> found =
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () ->
                    ((List<?>)
                            running
                                .asAdmin()
                                .get("/api/approvals?state=pending")
                                .json()
                                .get("data"))
                        .stream().map(Values::map).toList(),
                list -> !list.isEmpty());
    return found.getFirst().get("id");
  }

  private void until(String path, String field, String value) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(rosa).get(path).expect(200).json())
                    .containsEntry(field, value));
  }
}
