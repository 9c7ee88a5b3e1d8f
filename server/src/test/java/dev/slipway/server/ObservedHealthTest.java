package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of the bundled provider that are dropped behind its back. */
class ObservedHealthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path place;
  @TempDir Path data;
  private Running running;
  private Deployer deployer;

  private void start(String drift) throws IOException {
    Path config = place.resolve("admin-config.yaml");
    Files.writeString(config, "observe: {interval: 5s, drift: %s}\n".formatted(drift));
    running = Running.embedded(data, Optional.of(config));
    deployer = new Deployer(running);
    deployer.deploy(Deployer.score("shop", "db", "{}"));
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private Map<String, Object> database() {
    return deployer.resource("shop", "db");
  }

  private void awaitHealth(String health) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(database()).containsEntry("health", health));
  }

  private void drop() throws SQLException, IOException {
    String name = String.valueOf(deployer.outputs("shop", "db").get("database"));
    Path workloads = data.resolve("workloads");
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:"
                + Files.readString(workloads.resolve("pg.port")).strip()
                + "/postgres",
            "slipway",
            Files.readString(workloads.resolve("pg.password")).strip())) {
      connection.createStatement().execute("DROP DATABASE \"" + name + "\" WITH (FORCE)");
    }
  }

  private static String observed(Map<String, Object> resource, String field) {
    return String.valueOf(((Map<?, ?>) resource.get("observed")).get(field));
  }

  @Test
  void a_database_that_is_dropped_by_hand_is_missing_and_explain_says_since_when()
      throws Exception {
    start("report");
    awaitHealth("Healthy");
    assertThat(observed(database(), "rule")).isEqualTo("read");

    drop();
    awaitHealth("Missing");
    assertThat(observed(database(), "message")).contains("is gone");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get("/api/applications/shop/explain").body())
                    .contains("Missing since " + observed(database(), "since"), "is gone"));
    assertThat(database()).containsEntry("state", "degraded");
    assertThat(running.asAdmin().get("/api/resources/" + database().get("id") + "/health").json())
        .extracting("data", InstanceOfAssertFactories.LIST)
        .extracting(change -> String.valueOf(((Map<?, ?>) change).get("health")))
        .containsExactly("Missing", "Healthy");
    assertThat(running.asAdmin().get("/api/graph/shop").body()).contains("\"Missing\"");
    assertThat(running.asAdmin().get("/api/workflows?app=shop").expect(200).body())
        .as("looks of the schedule are no runs that lists show")
        .contains("create-postgres")
        .doesNotContain("read-postgres");
  }

  @Test
  void a_database_that_is_dropped_by_hand_is_made_again_when_drift_is_corrected() throws Exception {
    start("correct");
    awaitHealth("Healthy");

    drop();
    awaitHealth("Missing");
    awaitHealth("Healthy");
    assertThat(database()).containsEntry("state", "active");
    try (Connection again = Deployer.connect(deployer.outputs("shop", "db"))) {
      assertThat(again.isValid(5)).isTrue();
    }
    Object id = database().get("id");
    assertThat(
            (List<?>)
                running.asAdmin().get("/api/resources/" + id + "/transitions").json().get("data"))
        .anyMatch(t -> t.toString().contains("drift correction"));
  }
}
