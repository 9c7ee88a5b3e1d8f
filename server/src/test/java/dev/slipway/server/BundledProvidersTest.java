package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The shipped providers make, change and remove the real thing; the shipped examples show it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BundledProvidersTest {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private final TestDatabase target = TestPostgres.freshDatabase();
  private Running running;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "connections: {postgres: {url: '%s', username: '%s', password: '%s'}}\n"
                .formatted(target.jdbcUrl(), target.user(), target.password()));
    running = new Running(Optional.of(config));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static String example(String name) throws IOException {
    return Files.readString(EXAMPLES.resolve(name).resolve("score.yaml"));
  }

  private void deploy(String score) {
    Object deployment =
        running.asAdmin().yaml("/api/applications", score).json().get("deploymentId");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> running.asAdmin().get("/api/deployments/" + deployment).json().get("status"),
            status -> !List.of("running", "waiting").contains(status));
    assertThat(running.asAdmin().get("/api/deployments/" + deployment).json())
        .containsEntry("status", "completed");
  }

  private Map<String, Object> outputs(String application, String resource) {
    var shown = running.asAdmin().get("/api/applications/" + application).expect(200).json();
    Object id =
        ((List<?>) shown.get("resources"))
            .stream()
                .map(Values::map)
                .filter(r -> resource.equals(r.get("name")))
                .findFirst()
                .orElseThrow()
                .get("id");
    var reply = running.asAdmin().get("/api/resources/" + id + "/outputs?reveal=true").json();
    return reply.get("outputs") instanceof Map<?, ?> map ? Values.map(map) : reply;
  }

  private void destroy(String application) {
    running
        .asAdmin()
        .delete("/api/applications/" + application + "?confirm=" + application)
        .expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.asAdmin().get("/api/applications/" + application).status() == 404);
  }

  @Test
  void postgres_makes_a_database_that_its_role_can_use_limits_it_and_drops_both() throws Exception {
    deploy(example("postgres"));
    Map<String, Object> made = outputs("postgres-example", "db");
    assertThat(made)
        .containsEntry("database", "acme_orders")
        .containsEntry("username", "acme_orders");
    assertThat(String.valueOf(made.get("password"))).hasSize(64);
    assertThat(made.get("port")).isInstanceOf(Long.class);
    assertThat(limit("acme_orders")).isEqualTo(10);
    try (Connection connection = connect(made)) {
      connection.createStatement().execute("CREATE TABLE orders (id int)");
    }

    deploy(example("postgres").replace("connection_limit: 10", "connection_limit: 3"));
    assertThat(limit("acme_orders")).isEqualTo(3);
    assertThat(outputs("postgres-example", "db")).isEqualTo(made);

    deploy(example("postgres").replace("database: acme_orders", "database: acme_bills"));
    Map<String, Object> renamed = outputs("postgres-example", "db");
    assertThat(renamed).containsEntry("password", made.get("password"));
    try (Connection connection = connect(renamed)) {
      connection.createStatement().execute("SELECT * FROM orders");
    }

    destroy("postgres-example");
    assertThat(count("SELECT count(*) FROM pg_database WHERE datname LIKE 'acme_%'")).isZero();
    assertThat(count("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'acme_%'")).isZero();
  }

  private Connection connect(Map<String, Object> outputs) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%s/%s"
            .formatted(outputs.get("host"), outputs.get("port"), outputs.get("database")),
        String.valueOf(outputs.get("username")),
        String.valueOf(outputs.get("password")));
  }

  private int limit(String role) throws SQLException {
    return count("SELECT rolconnlimit FROM pg_roles WHERE rolname = '" + role + "'");
  }

  private int count(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(target.jdbcUrl(), target.user(), target.password());
        var rows = connection.createStatement().executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void volume_makes_a_directory_changes_its_size_and_removes_it() throws IOException {
    deploy(example("volume"));
    Path path = Path.of(String.valueOf(outputs("volume-example", "files").get("path")));
    assertThat(path).isDirectory().startsWith(running.data);
    Files.writeString(path.resolve("kept"), "x".repeat(200_000));

    deploy(example("volume").replace("500Mi", "2Gi"));
    assertThat(path.resolve("kept")).exists();
    assertThat(Files.readString(path.resolveSibling("volume.json"))).contains("2Gi");

    destroy("volume-example");
    assertThat(path).doesNotExist();
  }

  @Test
  void git_repo_makes_a_repository_that_can_be_cloned_and_removes_it(@TempDir Path directory)
      throws Exception {
    deploy(example("git-repo"));
    Map<String, Object> made = outputs("git-repo-example", "code");
    Path clone = directory.resolve("clone");
    assertThat(git("clone", "-q", String.valueOf(made.get("url")), clone.toString())).isEmpty();
    assertThat(Files.readString(clone.resolve("README.md")))
        .contains("# code", "It's 100% \"quoted\" & $HOME stays text");
    assertThat(git("-C", clone.toString(), "rev-parse", "HEAD", "--abbrev-ref", "HEAD"))
        .contains(String.valueOf(made.get("first_commit")), "trunk");

    deploy(example("git-repo").replace("branch: trunk", "branch: next"));
    assertThat(git("-C", String.valueOf(made.get("path")), "symbolic-ref", "HEAD"))
        .contains("refs/heads/next");

    destroy("git-repo-example");
    assertThat(Path.of(String.valueOf(made.get("path")))).doesNotExist();
  }

  private static String git(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
