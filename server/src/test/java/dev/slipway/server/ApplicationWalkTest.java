package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Values;
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

/** From an application to the run that is in its way; its graph and the graph of its plan. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationWalkTest {
  private static final String SHOP =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: shop}
      resources:
        box: {type: box}
        lid: {type: lid, params: {on: "${resources.box.where}"}}
      """;

  private Running running;
  private String dora;
  private String ben;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: box, operations: {create: {workflow: make-box}}}
            - {type: lid, operations: {create: {workflow: make-lid}}}
        workflows:
          - {name: make-box, file: ./box.yaml}
          - {name: make-lid, file: ./lid.yaml}
          - {name: saw, file: ./saw.yaml}
        """);
    workflow(tools, "box", "make-box", "  - {name: sawing, workflow: saw}\n");
    workflow(tools, "lid", "make-lid", "  - {name: fit, type: shell, script: 'true'}\n");
    workflow(tools, "saw", "saw", "  - {name: cut, type: shell, script: 'exit 5'}\n");
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
    ben = running.member("ben", "blue", "developer");
    running.as(dora).yaml("/api/specs?environment=dev", SHOP).expect(201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> get("/api/applications/shop?environment=dev").get("state"), "failed"::equals);
  }

  private static void workflow(Path tools, String file, String name, String steps)
      throws IOException {
    Files.writeString(
        tools.resolve(file + ".yaml"),
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: "
            + name
            + "}\nsteps:\n"
            + steps);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private Map<String, Object> get(String path) {
    return running.as(dora).get(path).expect(200).json();
  }

  private static List<Map<String, Object>> items(Map<String, Object> answer, String field) {
    return ((List<?>) Objects.requireNonNull(answer.get(field))).stream().map(Values::map).toList();
  }

  private Map<String, Object> run(String workflow) {
    return items(get("/api/workflows?application=shop"), "data").stream()
        .filter(run -> workflow.equals(run.get("workflow")))
        .findFirst()
        .orElseThrow();
  }

  private static String explain(String node) {
    return "/api/nodes/" + URLEncoder.encode(node, StandardCharsets.UTF_8) + "/explain";
  }

  @Test
  void the_walk_leads_from_the_application_over_its_resources_to_the_called_run_that_failed() {
    Map<String, Object> made = run("make-box");
    Map<String, Object> called =
        items(get("/api/workflows/" + made.get("id")), "children").getFirst();
    assertThat(items(get(explain("application:shop@dev")), "entries"))
        .extracting(entry -> entry.get("node"))
        .containsExactly(
            "workflow:" + called.get("id"),
            "workflow:" + made.get("id"),
            "resource:box.default#shop.box@dev",
            "resource:lid.default#shop.lid@dev",
            "application:shop@dev");
    Map<String, Object> lid = get(explain("resource:lid.default#shop.lid@dev"));
    assertThat(items(lid, "entries").getLast().get("why"))
        .isEqualTo("waits for resource:box.default#shop.box@dev");
    running.as(ben).get(explain("application:shop@dev")).expect(404);
  }

  @Test
  void entries_of_an_application_name_their_nodes_and_so_do_its_objects() {
    Map<String, Object> explanation = get("/api/applications/shop/explain?environment=dev");
    assertThat(explanation).containsEntry("node", "application:shop@dev");
    assertThat(items(explanation, "entries"))
        .extracting(entry -> entry.get("node"))
        .contains("resource:box.default#shop.box@dev");
    Map<String, Object> application = get("/api/applications/shop?environment=dev");
    assertThat(application).containsEntry("node", "application:shop@dev");
    assertThat(items(application, "resources"))
        .extracting(resource -> resource.get("node"))
        .contains("resource:lid.default#shop.lid@dev");
    assertThat(run("make-box"))
        .containsEntry("cause", "create")
        .containsEntry("node", "workflow:" + run("make-box").get("id"));
  }

  @Test
  void the_graph_of_an_application_has_the_runs_that_its_runs_called() {
    Map<String, Object> made = run("make-box");
    Map<String, Object> called =
        items(get("/api/workflows/" + made.get("id")), "children").getFirst();
    assertThat(items(get("/api/graph/shop?environment=dev"), "edges"))
        .extracting(e -> e.get("from") + " " + e.get("type") + " " + e.get("to"))
        .contains("workflow:%s contains workflow:%s".formatted(made.get("id"), called.get("id")));
    assertThat(items(get("/api/graph/shop/chain?environment=dev"), "nodes"))
        .extracting(node -> node.get("id"))
        .contains("spec:shop@dev", "workflow:" + called.get("id"));
  }

  @Test
  void plans_are_listed_and_drawn_for_those_who_may_see_them() {
    List<Map<String, Object>> plans =
        items(get("/api/plans?application=shop&environment=dev"), "data");
    assertThat(plans).isNotEmpty();
    assertThat(plans.getFirst())
        .containsEntry("effect", "changes")
        .containsEntry("createdBy", "dora");
    String graph = "/api/plans/" + plans.getFirst().get("hash") + "/graph";
    assertThat(items(get(graph), "edges"))
        .extracting(e -> e.get("from") + " " + e.get("type") + " " + e.get("to"))
        .contains(
            "spec:shop@dev contains resource:box.default#shop.box@dev",
            "resource:lid.default#shop.lid@dev depends-on resource:box.default#shop.box@dev",
            "resource:box.default#shop.box@dev requires provider:tools");
    assertThat(running.as(dora).get(graph + "/export?format=dot").expect(200).body())
        .startsWith("digraph");
    assertThat(running.as(ben).get("/api/plans").expect(200).json())
        .containsEntry("data", List.of());
    running.as(ben).get(graph).expect(404);
  }
}
