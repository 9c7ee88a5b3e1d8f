package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DatabaseAwayTest {

  @Test
  void while_the_database_is_away_calls_are_answered_503_and_afterwards_all_goes_on()
      throws Exception {
    try (Running running = new Running()) {
      String dora = running.member("dora", "red", "developer");
      letIn(running, false);
      TestPostgres.cutConnections(running.database);
      var refused = running.as(dora).yaml("/api/specs", ApplicationTest.score("later")).expect(503);
      assertThat(refused.header("Retry-After")).isEqualTo("5");
      assertThat(refused.json()).containsEntry("type", "urn:slipway:problem:database-away");
      var health = running.asNobody().get("/health").expect(503).json();
      assertThat(health).containsEntry("status", "unhealthy");
      assertThat(running.asNobody().get("/ready").expect(503).json()).containsEntry("ready", false);
      running.asNobody().get("/metrics").expect(200);
      letIn(running, true);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> running.asNobody().get("/ready").status() == 200);
      running.as(dora).yaml("/api/specs", ApplicationTest.score("later")).expect(201);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(running.as(dora).get("/api/applications/later").json())
                      .containsEntry("state", "active"));
    }
  }

  /** Opens or shuts the database for all sessions, from the one next to it. */
  private static void letIn(Running running, boolean open) throws SQLException {
    String url = running.database.jdbcUrl();
    String name = url.substring(url.lastIndexOf('/') + 1);
    String other = url.substring(0, url.lastIndexOf('/') + 1) + "postgres";
    try (Connection connection =
            DriverManager.getConnection(
                other, running.database.user(), running.database.password());
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS " + open);
    }
  }
}
