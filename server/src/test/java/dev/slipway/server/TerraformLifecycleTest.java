package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TerraformProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The provider of examples/terraform on a real server, from a document to nothing left. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerraformLifecycleTest {
  private Running running;
  private Path sites;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    sites = directory.resolve("sites");
    Path example = Path.of("..", "examples", "terraform").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.walk(example)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = directory.resolve(example.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.writeString(
            copy,
            Files.readString(file)
                .replace("/var/tmp/slipway-sites", sites.toString())
                .replace(
                    "      path: modules/site\n",
                    "      path: modules/site\n      binary: " + TerraformProgram.any() + "\n"));
      }
    }
    running = new Running(Optional.of(directory.resolve("admin-config.yaml")));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static String score(String title) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: press}
    containers:
      web:
        image: nginx
        variables: {KEY: "${resources.docs.upload_key}"}
    resources:
      docs: {type: site, params: {title: "%s"}}
    """
        .formatted(title);
  }

  private Map<?, ?> resource() {
    var app = running.asAdmin().get("/api/applications/press").expect(200).json();
    return (Map<?, ?>) ((List<?>) app.get("resources")).getFirst();
  }

  private void deploy(String title) {
    var made = running.asAdmin().yaml("/api/specs", score(title));
    assertThat(made.status()).as(made.body()).isIn(200, 201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () ->
                assertThat(
                        running
                            .asAdmin()
                            .get("/api/deployments/" + made.json().get("deploymentId"))
                            .json())
                    .containsEntry("status", "completed"));
  }

  @Test
  void a_resource_is_made_changed_and_destroyed_by_its_module() throws Exception {
    deploy("Hello & welcome");
    Path page = sites.resolve("default/press-docs/index.html");
    assertThat(page).hasContent("<h1>Hello &amp; welcome</h1>");
    String id = String.valueOf(resource().get("id"));
    var shown = running.asAdmin().get("/api/resources/" + id + "/outputs").expect(200);
    assertThat(shown.json())
        .containsEntry("upload_key", "***")
        .containsEntry("letters", 15L)
        .containsEntry("page", Map.of("file", page.toString(), "title", "Hello & welcome"));
    String key =
        String.valueOf(
            running
                .asAdmin()
                .get("/api/resources/" + id + "/outputs?reveal=true")
                .expect(200)
                .json()
                .get("upload_key"));
    assertThat(key).matches("[0-9a-f-]{36}");

    deploy("Second edition");
    assertThat(page).hasContent("<h1>Second edition</h1>");
    assertThat(
            running
                .asAdmin()
                .get("/api/resources/" + id + "/outputs?reveal=true")
                .json()
                .get("upload_key"))
        .as("the key is not made anew")
        .isEqualTo(key);
    String run = String.valueOf(resource().get("runId"));
    String log =
        running
            .asAdmin()
            .with("Accept", "text/plain")
            .get("/api/workflows/" + run + "/steps/apply/logs")
            .expect(200)
            .body();
    assertThat(log).contains("Plan: 1 to add, 0 to change, 1 to destroy.").doesNotContain(key);
    assertThat(running.asAdmin().get("/api/workflows/" + run).expect(200).body())
        .contains("to_add")
        .doesNotContain(key);

    running.asAdmin().delete("/api/applications/press?confirm=press").expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> running.asAdmin().get("/api/applications/press").status() == 404);
    assertThat(page.getParent()).doesNotExist();
    assertThat(found("SELECT count(*)::text FROM module_states")).isEqualTo("0");
    assertThat(wholeDatabase()).doesNotContain(key);
  }

  private String found(String sql) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(
                running.database.jdbcUrl(), running.database.user(), running.database.password());
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      StringBuilder all = new StringBuilder();
      while (rows.next()) {
        all.append(rows.getString(1));
      }
      return all.toString();
    }
  }

  private String wholeDatabase() throws Exception {
    StringBuilder all = new StringBuilder();
    for (String table :
        List.of("runs", "steps", "step_logs", "events", "resources", "audit", "deployments")) {
      all.append(found("SELECT t::text FROM " + table + " t"));
    }
    return all.toString();
  }
}
