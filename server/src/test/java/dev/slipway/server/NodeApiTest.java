package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
import dev.slipway.web.branch.Branches;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs and other nodes of the trunk, explained and drawn by a server that has no branch at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeApiTest {
  private Running running;
  private String dora;

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
          - {name: welcome, file: ./welcome.yaml, category: goldenpath}
          - {name: greet, file: ./greet.yaml}
          - {name: stumble, file: ./stumble.yaml, category: goldenpath}
          - {name: asking, file: ./asking.yaml, category: goldenpath}
        """);
    workflow(
        tools,
        "welcome",
        """
          - {name: prepare, type: shell, script: 'true'}
          - {name: greeting, workflow: greet}
        """);
    workflow(tools, "greet", "  - {name: say, type: shell, script: 'exit 5'}\n");
    workflow(
        tools,
        "stumble",
        """
          - name: a
            type: shell
            script: echo a
            compensate: [{name: undo-a, type: shell, script: 'exit 4'}]
          - {name: fall, type: shell, script: exit 3, on_error: rollback}
        """);
    workflow(
        tools, "asking", "  - {name: ask, type: approval, config: {message: may it go on?}}\n");
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Running.Place.fresh(), Optional.of(config), new Branches(List.of()));
    dora = running.member("dora", "red", "developer");
  }

  private static void workflow(Path tools, String name, String steps) throws IOException {
    Files.writeString(
        tools.resolve(name + ".yaml"),
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: "
            + name
            + "}\nsteps:\n"
            + steps);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private Map<String, Object> execute(String path, String status) {
    Object id =
        running
            .as(dora)
            .post("/api/golden-paths/" + path + "/execute", "{}")
            .expect(202)
            .json()
            .get("id");
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> get("/api/workflows/" + id), run -> status.equals(run.get("status")));
  }

  private Map<String, Object> get(String path) {
    return running.as(dora).get(path).expect(200).json();
  }

  private static String node(Object ref) {
    return "/api/nodes/" + URLEncoder.encode(String.valueOf(ref), StandardCharsets.UTF_8);
  }

  private static List<Map<String, Object>> items(Map<String, Object> answer, String field) {
    return ((List<?>) Objects.requireNonNull(answer.get(field))).stream().map(Values::map).toList();
  }

  @Test
  void a_run_that_failed_in_a_called_run_names_that_one_as_the_root_cause() {
    Map<String, Object> run = execute("welcome", "failed");
    Object child = items(run, "children").getFirst().get("id");
    Map<String, Object> explained = get("/api/workflows/" + run.get("id") + "/explain");
    assertThat(items(explained, "entries"))
        .extracting(entry -> entry.get("node"))
        .containsExactly("workflow:" + child, "workflow:" + run.get("id"));
    assertThat(items(explained, "entries").getFirst().get("why"))
        .asString()
        .contains("say", "exit code 5");
    assertThat(explained.get("summary")).asString().contains("workflow:" + child, "and 1 more");
    assertThat(explained.get("commands")).isEqualTo(List.of("slipway run retry " + run.get("id")));
    assertThat(get(node(run.get("node")) + "/explain")).isEqualTo(explained);
    assertThat(items(get("/api/workflows/" + child + "/explain"), "entries")).hasSize(1);
  }

  @Test
  void a_run_that_waits_for_an_approval_says_which_and_what_to_type() {
    Map<String, Object> run = execute("asking", "waiting");
    Map<String, Object> explained = get("/api/workflows/" + run.get("id") + "/explain");
    Map<String, Object> asked = items(get("/api/approvals?state=pending"), "data").getFirst();
    assertThat(explained).containsEntry("state", "waiting");
    assertThat(explained.get("commands")).isEqualTo(List.of("slipway approve " + asked.get("id")));
    assertThat(get(node(asked.get("node")) + "/explain").get("commands"))
        .isEqualTo(explained.get("commands"));
  }

  @Test
  void the_graph_of_a_run_holds_its_steps_the_runs_they_called_and_their_steps() {
    Map<String, Object> run = execute("welcome", "failed");
    Object child = items(run, "children").getFirst().get("id");
    Map<String, Object> graph = get("/api/workflows/" + run.get("id") + "/graph");
    assertThat(items(graph, "edges"))
        .extracting(e -> e.get("from") + " " + e.get("type") + " " + e.get("to"))
        .contains(
            "workflow:%s contains step:%1$s/prepare".formatted(run.get("id")),
            "step:%1$s/greeting depends-on step:%1$s/prepare".formatted(run.get("id")),
            "step:%s/greeting executes workflow:%s".formatted(run.get("id"), child),
            "workflow:%s contains step:%1$s/say".formatted(child),
            "workflow:%s requires provider:tools".formatted(child));
    assertThat(
            running
                .as(dora)
                .get("/api/workflows/" + child + "/graph/export?format=mermaid")
                .expect(200)
                .body())
        .startsWith("flowchart")
        .contains("say");
  }

  @Test
  void a_rollback_is_in_the_graph_of_its_run_and_its_failure_explains_that_run() {
    Map<String, Object> run = execute("stumble", "failed");
    Object rollback =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> Values.map(get("/api/workflows/" + run.get("id")).get("rollback")),
                state -> "incomplete".equals(state.get("status")))
            .get("runId");
    assertThat(items(get("/api/workflows/" + run.get("id") + "/graph"), "edges"))
        .extracting(e -> e.get("from") + " " + e.get("type") + " " + e.get("to"))
        .contains("workflow:%s contains workflow:%s".formatted(run.get("id"), rollback));
    Map<String, Object> explained = get("/api/workflows/" + run.get("id") + "/explain");
    assertThat(items(explained, "entries").getFirst())
        .containsEntry("node", "workflow:" + rollback);
    assertThat(explained.get("commands"))
        .isEqualTo(List.of("slipway run retry " + run.get("id") + " --rollback"));
  }

  @Test
  void what_is_well_has_no_entries_and_what_another_team_owns_does_not_exist() {
    assertThat(get(node("provider:tools") + "/explain"))
        .containsEntry("state", "active")
        .containsEntry("entries", List.of());
    running.asAdmin().post("/api/environments", "{\"name\":\"calm\"}").expect(201);
    assertThat(get(node("environment:calm") + "/explain").get("summary"))
        .isEqualTo("environment:calm is active; nothing is in its way");
    Map<String, Object> run = execute("asking", "waiting");
    String ben = running.member("ben", "blue", "developer");
    for (String path :
        List.of(
            node(run.get("node")) + "/explain",
            node(run.get("node")) + "/graph",
            "/api/workflows/" + run.get("id") + "/explain",
            "/api/workflows/" + run.get("id") + "/graph",
            node("provider:none") + "/explain",
            node("no-such-kind:x") + "/explain",
            node("workflow:7") + "/graph",
            node("nonsense") + "/explain")) {
      running.as(ben).get(path).expect(404);
    }
    running.asNobody().get(node("provider:tools") + "/explain").expect(401);
  }
}
