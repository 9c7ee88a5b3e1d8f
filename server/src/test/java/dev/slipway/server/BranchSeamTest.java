package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.Migrations;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.retention.Sweeper;
import dev.slipway.server.buoys.BuoysBranch;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import dev.slipway.web.branch.Branches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A branch that only tests have: everything that a branch brings, on a real server. */
class BranchSeamTest {
  private static final Branches BUOYS = new Branches(List.of(new BuoysBranch()));
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Running.Place place = Running.Place.fresh();
  @TempDir Path directory;

  @Test
  void a_branch_brings_routes_kinds_configuration_tables_and_turns() throws Exception {
    Path config = Files.writeString(directory.resolve("admin-config.yaml"), "buoys: {depth: 7}\n");
    try (Running running = new Running(place, Optional.of(config), BUOYS)) {
      running.asAdmin().post("/api/teams", "{\"name\":\"pilots\"}").expect(201);
      running.asAdmin().post("/api/buoys", "{\"name\":\"elbe\",\"team\":\"pilots\"}").expect(201);
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(running.asAdmin().get("/api/buoys/elbe").expect(200).json())
                      .containsEntry("state", "moored")
                      .containsEntry("depth", 7L));
      assertThat(running.asAdmin().get("/api/kinds").expect(200).body()).contains("\"buoy\"");
      String reader = running.member("mia", "pilots", "viewer");
      running.as(reader).post("/api/buoys", "{\"name\":\"weser\",\"team\":\"pilots\"}").expect(403);
      running.asNobody().get("/api/buoys").expect(401);
    }
    assertThat(strings("SELECT description FROM flyway_buoys_history WHERE version = '1'"))
        .containsExactly("buoys");
    assertThat(strings("SELECT 1 FROM flyway_schema_history WHERE description = 'buoys'"))
        .isEmpty();
  }

  @Test
  void the_decision_about_an_approval_wakes_the_key_that_its_branch_has_named() throws Exception {
    try (Running running = new Running(place, Optional.empty(), BUOYS)) {
      running.asAdmin().post("/api/teams", "{\"name\":\"pilots\"}").expect(201);
      running.asAdmin().post("/api/buoys", "{\"name\":\"jade\",\"team\":\"pilots\"}").expect(201);
      moored(running, "jade");
      String approval = UUID.randomUUID().toString();
      execute("UPDATE buoys SET state = 'adrift'");
      execute(
          """
          INSERT INTO approvals (id, kind, application, environment, team, hash, message,
                                 requested_by, state, expires_at, created_at, wake_kind, wake_key)
          VALUES ('%s', 'plan', 'buoy:jade', 'default', 'pilots', 'h', 'moor it', 'mia', 'pending',
                  now() + interval '1 day', now(), 'buoy', 'jade')
          """
              .formatted(approval));
      assertThat(running.asAdmin().get("/api/buoys/jade").expect(200).json())
          .containsEntry("state", "adrift");
      assertThat(
              running
                  .asAdmin()
                  .post("/api/approvals/" + approval + "/approve", "{}")
                  .expect(200)
                  .json())
          .containsEntry("root", "buoy:jade")
          .containsEntry("node", "buoy:jade")
          .doesNotContainKey("application");
      moored(running, "jade");
    }
  }

  @Test
  void a_branch_counts_and_removes_its_own_rows() throws Exception {
    try (Running running = new Running(place, Optional.empty(), BUOYS)) {
      running.asAdmin().post("/api/teams", "{\"name\":\"pilots\"}").expect(201);
      running.asAdmin().post("/api/buoys", "{\"name\":\"oste\",\"team\":\"pilots\"}").expect(201);
      moored(running, "oste");
      execute("INSERT INTO buoys VALUES ('sunk', 'pilots', 'lost')");
      assertThat(running.asAdmin().get("/api/stats").expect(200).json())
          .containsEntry("buoys", Map.of("moored", 1L, "lost", 1L))
          .doesNotContainKey("applications");
      String reader = running.member("mia", "others", "viewer");
      assertThat(running.as(reader).get("/api/stats").expect(200).json())
          .containsEntry("buoys", Map.of());
      try (Database database = Database.open(Running.url(place.database()).address(), 2)) {
        Sweeper sweeper = new Sweeper(database.jdbi(), 10);
        for (Sweep sweep : Sweep.all(List.of(BuoysBranch.LOST))) {
          sweeper.next(sweep, AdminConfig.Retention.DEFAULT, Instant.now());
        }
      }
      assertThat(strings("SELECT name FROM buoys")).containsExactly("oste");
    }
  }

  private static void moored(Running running, String name) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get("/api/buoys/" + name).expect(200).json())
                    .containsEntry("state", "moored"));
  }

  @Test
  void a_server_without_the_branch_starts_on_its_database_and_leaves_its_signals()
      throws Exception {
    try (Running running = new Running(place, Optional.empty(), BUOYS)) {
      running.asAdmin().get("/api/buoys").expect(200);
    }
    try (Connection connection = connect()) {
      connection
          .createStatement()
          .execute("INSERT INTO signals (kind, key, at) VALUES ('buoy', 'elbe', now())");
    }
    try (Running running = new Running(place, Optional.empty(), BranchList.ALL)) {
      running.asAdmin().get("/api/buoys").expect(404);
      assertThat(running.asAdmin().get("/api/kinds").expect(200).body()).doesNotContain("\"buoy\"");
      assertThat(running.asAdmin().get("/health").expect(200).body())
          .contains("1 signals of kind 'buoy' wait for a replica that reconciles it");
    }
    assertThat(strings("SELECT key FROM signals WHERE kind = 'buoy'")).containsExactly("elbe");
  }

  @Test
  void a_key_of_its_section_that_the_branch_does_not_know_is_a_warning_and_its_depth_is_none()
      throws IOException {
    Path config = Files.writeString(directory.resolve("admin-config.yaml"), "buoys: {depht: 7}\n");
    Configuration.Read read = new Configuration(Optional.of(config), BUOYS).read();
    assertThat(read.usable()).isTrue();
    assertThat(read.diagnostics())
        .singleElement()
        .satisfies(d -> assertThat(d.text()).contains("depht", "depth"));
    assertThat(new Configuration(Optional.of(config), BranchList.ALL).read().diagnostics())
        .singleElement()
        .satisfies(d -> assertThat(d.text()).contains("buoys"));
  }

  @Test
  void pending_scripts_of_a_branch_are_named_with_the_branch() {
    TestDatabase database = TestPostgres.freshDatabase();
    Database.Address address = Running.url(database).address();
    new Migrations(address, List.of()).apply();
    Migrations all = new Migrations(address, BUOYS.migrations());
    assertThat(all.state().pending()).containsExactly("buoys 1 buoys");
    assertThatThrownBy(all::requireApplied).hasMessageContaining("buoys 1 buoys");
    all.apply();
    assertThat(all.state().current()).isTrue();
  }

  @Test
  void two_branches_of_one_name_are_refused() {
    assertThatThrownBy(() -> new Branches(List.of(new BuoysBranch(), new BuoysBranch())))
        .hasMessageContaining("two branches are named buoys");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect()) {
      connection.createStatement().execute(sql);
    }
  }

  private List<String> strings(String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = connect();
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  private Connection connect() throws SQLException {
    TestDatabase database = place.database();
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}
