package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
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
  private Deployer deployer;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException, SQLException {
    String login = "provider_" + Long.toHexString(System.nanoTime());
    try (Connection connection = asOwner()) {
      connection
          .createStatement()
          .execute(
              "CREATE ROLE " + login + " LOGIN CREATEDB CREATEROLE PASSWORD 'of-the-provider'");
    }
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "connections: {postgres: {url: '%s', username: '%s', password: '%s'}}\n"
                .formatted(target.jdbcUrl(), login, "of-the-provider"));
    running = new Running(Optional.of(config));
    deployer = new Deployer(running);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static String example(String name) throws IOException {
    return Files.readString(EXAMPLES.resolve(name).resolve("score.yaml"));
  }

  /** As a login that is no superuser: the state database is on the same server. */
  @Test
  void postgres_makes_a_database_that_its_role_can_use_limits_it_and_drops_both() throws Exception {
    deployer.deploy(example("postgres"));
    Map<String, Object> made = deployer.outputs("postgres-example", "db");
    String id = String.valueOf(deployer.resource("postgres-example", "db").get("id"));
    String name = "default_postgres_example_db_" + id.substring(28);
    assertThat(made).containsEntry("database", name).containsEntry("username", name);
    assertThat(String.valueOf(made.get("password"))).hasSize(64);
    assertThat(made.get("port")).isInstanceOf(Long.class);
    assertThat(limit(name)).isEqualTo(10);
    try (Connection connection = Deployer.connect(made)) {
      connection.createStatement().execute("CREATE TABLE orders (id int)");
    }

    deployer.deploy(example("postgres").replace("connection_limit: 10", "connection_limit: 3"));
    assertThat(limit(name)).isEqualTo(3);
    assertThat(deployer.outputs("postgres-example", "db")).isEqualTo(made);
    try (Connection connection = Deployer.connect(made)) {
      connection.createStatement().execute("SELECT * FROM orders");
    }

    deployer.destroy("postgres-example");
    assertThat(count("SELECT count(*) FROM pg_database WHERE datname = '" + name + "'")).isZero();
    assertThat(count("SELECT count(*) FROM pg_roles WHERE rolname = '" + name + "'")).isZero();
  }

  @Test
  void a_shared_database_keeps_its_name_when_it_passes_to_another_application() throws Exception {
    String shared =
        """
        apiVersion: score.dev/v1b1
        metadata: {name: first}
        containers: {web: {image: nginx}}
        resources: {db: {type: postgres, id: common-db, params: {connection_limit: 5}}}
        """;
    deployer.deploy(shared);
    String name = String.valueOf(deployer.outputs("first", "db").get("database"));
    String other = shared.replace("name: first", "name: second");
    deployer.deploy(other);
    deployer.destroy("first");
    deployer.deploy(other.replace("connection_limit: 5", "connection_limit: 4"));
    assertThat(limit(name)).isEqualTo(4);
    deployer.destroy("second");
    assertThat(count("SELECT count(*) FROM pg_database WHERE datname = '" + name + "'")).isZero();
    assertThat(count("SELECT count(*) FROM pg_roles WHERE rolname = '" + name + "'")).isZero();
  }

  private int limit(String role) throws SQLException {
    return count("SELECT rolconnlimit FROM pg_roles WHERE rolname = '" + role + "'");
  }

  private Connection asOwner() throws SQLException {
    return DriverManager.getConnection(target.jdbcUrl(), target.user(), target.password());
  }

  private int count(String sql) throws SQLException {
    try (Connection connection = asOwner();
        var rows = connection.createStatement().executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void volume_makes_a_directory_changes_its_size_and_removes_it() throws IOException {
    deployer.deploy(example("volume"));
    Path path = Path.of(String.valueOf(deployer.outputs("volume-example", "files").get("path")));
    assertThat(path).isDirectory().startsWith(running.data);
    Files.writeString(path.resolve("kept"), "x".repeat(200_000));

    deployer.deploy(example("volume").replace("500Mi", "2Gi"));
    assertThat(path.resolve("kept")).exists();
    assertThat(Files.readString(path.resolveSibling("volume.json"))).contains("2Gi");

    deployer.destroy("volume-example");
    assertThat(path).doesNotExist();
  }

  @Test
  void git_repo_makes_a_repository_that_can_be_cloned_and_removes_it(@TempDir Path directory)
      throws Exception {
    deployer.deploy(example("git-repo"));
    Map<String, Object> made = deployer.outputs("git-repo-example", "code");
    Path clone = directory.resolve("clone");
    assertThat(git("clone", "-q", String.valueOf(made.get("url")), clone.toString())).isEmpty();
    assertThat(Files.readString(clone.resolve("README.md")))
        .contains("# code", "It's 100% \"quoted\" & $HOME stays text");
    assertThat(git("-C", clone.toString(), "rev-parse", "HEAD", "--abbrev-ref", "HEAD"))
        .contains(String.valueOf(made.get("first_commit")), "trunk");

    deployer.deploy(example("git-repo").replace("branch: trunk", "branch: next"));
    assertThat(git("-C", String.valueOf(made.get("path")), "symbolic-ref", "HEAD"))
        .contains("refs/heads/next");

    deployer.destroy("git-repo-example");
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
