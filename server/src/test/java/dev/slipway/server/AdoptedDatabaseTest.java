package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that exists already becomes a resource's by its own consent and an operator's. */
class AdoptedDatabaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final TestDatabase target = TestPostgres.freshDatabase();
  @TempDir Path directory;

  @Test
  void adoption_needs_the_consent_of_the_role_and_an_operator_and_keeps_the_data_at_deletion()
      throws Exception {
    try (Running running = new Running(Optional.of(config()))) {
      String rosa = running.member("rosa", "red", "developer");
      String olga = running.member("olga", "*", "operator");
      Deployer deployer = new Deployer(running);

      // The create run fails at first, so that the resource has its id.
      tell("ALTER ROLE adopting NOLOGIN");
      running.as(rosa).yaml("/api/specs", Deployer.score("heir", "db", "{}")).expect(201);
      String id = String.valueOf(until(deployer, "failed").get("id"));
      tell("ALTER ROLE adopting LOGIN");
      String name = "default_heir_db_" + id.substring(28);
      tell("CREATE ROLE \"" + name + "\"");
      tell("GRANT \"" + name + "\" TO adopting WITH ADMIN OPTION");
      tell("CREATE DATABASE \"" + name + "\" OWNER \"" + name + "\"");

      retry(running, id);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(reason(deployer)).contains("not-ours", "adopt-into: " + id));
      assertThat(mark(name)).as("nothing without consent").isNull();

      tell("COMMENT ON ROLE \"" + name + "\" IS 'slipway.dev/adopt-into: " + id + "'");
      retry(running, id);
      String question = pending(running);
      assertThat(mark(name)).as("nothing without an operator").contains("adopt-into");
      assertThat(running.as(rosa).post(question, "{}").status()).isEqualTo(403);
      running.as(olga).post(question, "{}").expect(200);
      until(deployer, "active");
      assertThat(mark(name)).isEqualTo("slipway.dev/adopted: " + id);
      try (Connection own = Deployer.connect(deployer.outputs("heir", "db"))) {
        own.createStatement().execute("CREATE TABLE kept (id int)");
      }

      deployer.destroy("heir");
      assertThat(strings("SELECT datname FROM pg_database WHERE datname = '" + name + "'"))
          .containsExactly(name);
      assertThat(mark(name)).isEqualTo("slipway.dev/released: " + id);
    }
  }

  private Path config() throws IOException, SQLException {
    tell("CREATE ROLE adopting LOGIN CREATEDB CREATEROLE PASSWORD 'of-the-provider'");
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "connections: {postgres: {url: '%s', username: adopting, password: of-the-provider}}\n"
            .formatted(target.jdbcUrl()));
  }

  private static Map<String, Object> until(Deployer deployer, String state) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(deployer.resource("heir", "db")).containsEntry("state", state));
    return deployer.resource("heir", "db");
  }

  private static String reason(Deployer deployer) {
    return String.valueOf(deployer.resource("heir", "db").get("reason"));
  }

  private static void retry(Running running, String id) {
    running.asAdmin().post("/api/resources/" + id + "/retry", "{}").expect(202);
  }

  private static String pending(Running running) {
    List<?> asked =
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    (List<?>)
                        running.asAdmin().get("/api/approvals?state=pending").json().get("data"),
                list -> !list.isEmpty());
    return "/api/approvals/" + Values.map(asked.getFirst()).get("id") + "/approve";
  }

  private String mark(String role) throws SQLException {
    return strings(
            "SELECT shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = '"
                + role
                + "'")
        .getFirst();
  }

  private Connection owner() throws SQLException {
    return DriverManager.getConnection(target.jdbcUrl(), target.user(), target.password());
  }

  private void tell(String sql) throws SQLException {
    try (Connection connection = owner()) {
      connection.createStatement().execute(sql);
    }
  }

  private List<String> strings(String sql) throws SQLException {
    List<String> found = new java.util.ArrayList<>();
    try (Connection connection = owner();
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }
}
