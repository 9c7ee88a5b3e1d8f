package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients and people hold from before an upgrade of the last release: the hash of a plan, the
 * position in the stream of events, an approval that is still to be given.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradedClientsTest {
  private static final int LAST_RELEASE = UpgradeTest.released().getLast();

  private TestDatabase database;
  private Running running;
  private String dora;

  @BeforeAll
  void start(@TempDir Path place, @TempDir Path data) throws IOException, SQLException {
    database = EarlierDatabase.load(LAST_RELEASE, place, data);
    Path config = UpgradeFixture.config(place);
    Files.writeString(place.resolve("go"), "");
    running = new Running(database, data, Optional.of(config));
    dora = EarlierDatabase.key(running, "dora");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private String planOf(String application) throws SQLException {
    return EarlierDatabase.strings(
            database, "SELECT hash FROM plans WHERE application = '" + application + "'")
        .getFirst();
  }

  @Test
  void a_plan_of_before_is_shown_with_the_nodes_of_today() throws SQLException {
    Map<String, Object> plan =
        running.as(dora).get("/api/plans/" + planOf("cart")).expect(200).json();
    assertThat((List<?>) plan.get("items"))
        .extracting(item -> Values.map(item).get("node"))
        .contains("resource:vault.default#common", "resource:box.default#cart.parts");
    assertThat(running.as(dora).get("/api/plans/" + planOf("cart") + "/graph").expect(200).body())
        .contains("resource:box.default#cart.parts");
  }

  @Test
  void the_hash_of_a_plan_of_before_is_accepted_while_it_would_do_the_same() throws Exception {
    String hash = planOf("stall");
    Map<String, Object> accepted =
        running
            .as(dora)
            .yaml("/api/specs?planHash=" + hash, UpgradeFixture.score("stall"))
            .expect(201)
            .json();
    assertThat(accepted).containsEntry("planHash", hash);
    active("/api/applications/stall");
  }

  @Test
  void the_hash_of_a_plan_that_would_do_something_else_by_now_is_refused_with_both_hashes()
      throws Exception {
    String old = planOf("shop");
    String refused =
        running
            .as(dora)
            .yaml("/api/specs?planHash=" + old, UpgradeFixture.score("shop"))
            .expect(409)
            .body();
    assertThat(refused).contains("stale-plan", old, "Make a new plan");
  }

  @Test
  void a_plan_approved_after_the_upgrade_is_carried_out_as_it_was_asked_for() throws Exception {
    String paul = EarlierDatabase.key(running, "paul");
    String approval =
        EarlierDatabase.strings(
                database, "SELECT id FROM approvals WHERE kind = 'plan' AND state = 'pending'")
            .getFirst();
    Map<String, Object> shown =
        running.as(paul).get("/api/approvals/" + approval).expect(200).json();
    assertThat(shown).containsEntry("node", "application:till@prod");
    running.as(dora).post("/api/approvals/" + approval + "/approve", "{}").expect(403);
    running.as(paul).post("/api/approvals/" + approval + "/approve", "{}").expect(200);
    active("/api/applications/till?environment=prod");
    assertThat(
            EarlierDatabase.strings(
                database,
                "SELECT d.status FROM deployments d WHERE d.approval_id = '" + approval + "'"))
        .containsExactly("completed");
  }

  private void active(String application) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> running.as(dora).get(application).expect(200).json().get("state"),
            "active"::equals);
  }

  @Test
  void a_stream_goes_on_behind_a_position_of_before_with_events_as_the_contract_has_them()
      throws Exception {
    List<Map<String, Object>> events = replayed(5);
    assertThat(events).extracting(event -> event.get("id")).doesNotContain(5L).contains(6L);
    assertThat(events)
        .filteredOn(event -> "provider.resolved".equals(event.get("type")))
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.get("node")).asString().startsWith("resource:");
              assertThat(Values.map(event.get("data"))).containsKey("identity");
            });
    running.holdEvents();
  }

  @Test
  void a_position_that_this_database_never_had_is_answered_with_a_reset() throws Exception {
    List<Map<String, Object>> events = replayed(2_000_000_000);
    assertThat(events.getFirst()).containsEntry("type", "stream.reset").containsKey("oldest");
  }

  /** What the server answers a reader with who has seen everything up to that id. */
  private List<Map<String, Object>> replayed(long after) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(running.server.url() + "/api/events"))
            .header("Authorization", "Bearer " + dora)
            .header("Last-Event-ID", String.valueOf(after))
            .timeout(Duration.ofSeconds(60))
            .build();
    List<Map<String, Object>> events = new ArrayList<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  client.send(request, BodyHandlers.ofInputStream()).body(),
                  StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data:")) {
          events.add(Json.readMap(line.substring(5)));
        }
        if (line.equals(": replayed")) {
          break;
        }
      }
      client.shutdownNow();
    }
    return events;
  }
}
