package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database answers, and yet no run can be claimed. */
class ReadinessTest {
  private static final String LOGIN = "claims_nothing";

  @TempDir Path data;
  private TestDatabase database;
  private Running running;

  /** With a login as operators give one: it owns its tables and nothing else. */
  @BeforeEach
  void start() throws SQLException {
    database = TestPostgres.freshDatabase();
    sql(
        "DROP ROLE IF EXISTS %1$s; CREATE ROLE %1$s LOGIN PASSWORD 'secret'".formatted(LOGIN),
        "GRANT CREATE, USAGE ON SCHEMA public TO " + LOGIN);
    running =
        new Running(new TestDatabase(database.jdbcUrl(), LOGIN, "secret"), data, Optional.empty());
    running.asNobody().get("/ready").expect(200);
  }

  @AfterEach
  void stop() throws SQLException {
    running.close();
    sql("DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(LOGIN));
  }

  @Test
  void without_the_right_to_claim_it_is_not_ready_until_the_right_is_back() throws SQLException {
    sql("REVOKE UPDATE ON runs FROM " + LOGIN);
    notReady("permission denied for table runs");
    assertThat(running.asNobody().get("/health").expect(200).json())
        .containsEntry("status", "degraded");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> failingSeconds() > 0);
    sql("GRANT UPDATE ON runs TO " + LOGIN);
    ready();
    assertThat(failingSeconds()).isZero();
  }

  @Test
  void with_a_claim_statement_that_fails_it_is_not_ready_until_it_works() throws SQLException {
    sql("ALTER TABLE runs RENAME COLUMN claimable_at TO elsewhere");
    notReady("column \"claimable_at\" does not exist");
    sql("ALTER TABLE runs RENAME COLUMN elsewhere TO claimable_at");
    ready();
  }

  /** As after a failover that leaves the address on the standby. */
  @Test
  void on_a_database_that_takes_no_writes_it_is_not_ready_until_it_takes_some()
      throws SQLException {
    String name = database.jdbcUrl().replaceAll("^.*/", "");
    sql("ALTER DATABASE %s SET default_transaction_read_only = on".formatted(name));
    TestPostgres.cutConnections(database);
    notReady("read-only transaction");
    sql(
        "SET default_transaction_read_only = off",
        "ALTER DATABASE %s RESET default_transaction_read_only".formatted(name));
    TestPostgres.cutConnections(database);
    ready();
  }

  private void notReady(String reason) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              Map<String, Object> answer = running.asNobody().get("/ready").expect(503).json();
              assertThat(answer).containsEntry("ready", false);
              assertThat((Map<?, ?>) answer.get("checks"))
                  .extracting("claims", InstanceOfAssertFactories.STRING)
                  .startsWith("runs cannot be claimed: ")
                  .contains(reason);
            });
  }

  /** And claims again, which an application shows that becomes active. */
  private void ready() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> running.asNobody().get("/ready").expect(200));
    String dora = running.member("dora", "red", "developer");
    running.as(dora).yaml("/api/specs", ApplicationTest.score("shop")).expect(201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(dora).get("/api/applications/shop").expect(200).json())
                    .containsEntry("state", "active"));
  }

  private double failingSeconds() {
    return running
        .asNobody()
        .get("/metrics")
        .expect(200)
        .body()
        .lines()
        .filter(line -> line.startsWith("slipway_claims_failing_seconds "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
        .findAny()
        .orElseThrow();
  }

  private void sql(String... statements) throws SQLException {
    try (Connection c = UpgradeFixture.connect(database);
        Statement s = c.createStatement()) {
      for (String statement : statements) {
        s.execute(statement);
      }
    }
  }
}
