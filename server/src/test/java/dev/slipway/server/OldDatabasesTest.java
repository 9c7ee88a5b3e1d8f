package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.testbed.PostgresClients;
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

/**
 * Databases that version 1.0.0 of the bundled provider made beside Slipway's own state: here one
 * made by hand, with the record that such a run left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OldDatabasesTest {
  private static final String OLD = "default_legacy_db";

  @TempDir static Path directory;
  private Path data;
  private Running running;
  private Deployer deployer;

  @BeforeAll
  void start() throws Exception {
    data = directory.resolve("DATA");
    running = Running.embedded(data, Optional.empty());
    deployer = new Deployer(running);
    deployer.deploy(Deployer.score("legacy", "db", "{}"));
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void they_work_until_they_are_moved_as_the_page_says_and_no_step_touches_them_before()
      throws Exception {
    Map<String, Object> made = deployer.outputs("legacy", "db");
    String id = String.valueOf(deployer.resource("legacy", "db").get("id"));
    String name = String.valueOf(made.get("database"));
    asVersionOneLeftIt(made, id);

    Map<String, Object> update =
        deployer.ended(Deployer.score("legacy", "db", "{connection_limit: 9}"));
    assertThat(update).containsEntry("status", "failed");
    assertThat(String.valueOf(deployer.resource("legacy", "db")))
        .contains("was made by version 1.0.0", name, id, "docs/operations.md");
    assertThat(rows()).as("it still works").isEqualTo("kept");

    carryOutThePage(name, id);
    deployer.deploy(Deployer.score("legacy", "db", "{connection_limit: 8}"));
    Map<String, Object> moved = deployer.outputs("legacy", "db");
    assertThat(moved).containsEntry("database", name).containsEntry("port", made.get("port"));
    try (Connection connection = Deployer.connect(moved);
        var row = connection.createStatement().executeQuery("SELECT x FROM t")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("kept");
      connection.createStatement().execute("INSERT INTO t VALUES ('more')");
    }

    deployer.destroy("legacy");
    assertThatThrownBy(() -> Deployer.connect(moved)).hasMessageContaining("FATAL");
    assertThat(rows()).as("what is beside the state is dropped by hand only").isEqualTo("kept");
  }

  private void asVersionOneLeftIt(Map<String, Object> made, String id) throws SQLException {
    try (Connection workloads = superuser("workloads/");
        Connection state = superuser("")) {
      String name = "\"" + made.get("database") + "\"";
      workloads.createStatement().execute("DROP DATABASE " + name + " WITH (FORCE)");
      workloads.createStatement().execute("DROP ROLE " + name);
      state.createStatement().execute("CREATE ROLE " + OLD + " LOGIN PASSWORD 'of-version-one'");
      state.createStatement().execute("CREATE DATABASE " + OLD + " OWNER " + OLD);
      state
          .createStatement()
          .execute(
              """
              UPDATE resources SET outputs = outputs
                || '{"database": "%s", "username": "%s"}' WHERE id = '%s'
              """
                  .formatted(OLD, OLD, id));
    }
    try (Connection old = old()) {
      old.createStatement().execute("CREATE TABLE t AS SELECT 'kept' AS x");
    }
  }

  private String rows() throws SQLException {
    try (Connection old = old();
        var row = old.createStatement().executeQuery("SELECT string_agg(x, ',') FROM t")) {
      row.next();
      return row.getString(1);
    }
  }

  private Connection old() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + read("pg.port") + "/" + OLD, OLD, "of-version-one");
  }

  private Connection superuser(String below) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + read(below + "pg.port") + "/postgres",
        "slipway",
        read(below + "pg.password"));
  }

  private String read(String file) {
    try {
      return Files.readString(data.resolve(file)).strip();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** psql is not everywhere where the other clients are: its statements go by JDBC. */
  private void carryOutThePage(String name, String id) throws Exception {
    List<String> commands =
        Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
            .filter(line -> line.matches("(old|new)(\\(\\) \\{| (pg_dump|psql|createdb|pg_)).*"))
            .map(line -> line.replace("RESOURCE-ID", id).replace("NEW", name).replace("OLD", OLD))
            .toList();
    assertThat(commands).hasSize(6);
    shell(String.join("\n", List.of("set -e", commands.get(0), commands.get(1), commands.get(2))));
    try (Connection administrator =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:" + read("workloads/pg.port") + "/postgres",
            "slipway_workloads",
            read("workloads/admin.password"))) {
      for (String statement : commands.get(3).replace("\\\"", "\"").split(" -c ", -1)) {
        if (!statement.startsWith("new psql")) {
          administrator
              .createStatement()
              .execute(statement.strip().replaceAll("^['\"]|['\"]$", ""));
        }
      }
    }
    shell(
        String.join(
            "\n",
            List.of("set -e", commands.get(0), commands.get(1), commands.get(4), commands.get(5))));
  }

  private static void shell(String script) throws Exception {
    ProcessBuilder program =
        new ProcessBuilder("bash", "-c", script)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    program.environment().compute("PATH", (_, path) -> PostgresClients.directory() + ":" + path);
    Process process = program.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
