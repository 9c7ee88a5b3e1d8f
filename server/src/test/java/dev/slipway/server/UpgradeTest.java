package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases that earlier versions have left with work in flight, see {@link UpgradeFixture}. */
class UpgradeTest {
  private static final Path MIGRATIONS =
      Path.of("..", "postgres", "src", "main", "resources", "db", "migration");

  private static final String FOREIGN_KEY = "23503";

  /** Since then workflows call workflows. */
  private static final int WITH_CALLS = 2;

  @TempDir Path place;
  @TempDir Path data;

  /**
   * Schema versions that a release has left in databases. Migrations above the newest one belong to
   * the coming release and reach databases together: the release adds its last version here.
   */
  static List<Integer> released() {
    return List.of(1, 2, 3, 4, 9, 12);
  }

  @ParameterizedTest
  @MethodSource("released")
  void every_released_schema_has_a_database_that_it_wrote(int version) {
    assertThat(UpgradeFixture.RESOURCES.resolve("v" + version + ".sql"))
        .as("schema version %d needs a database: run UpgradeFixture of that version", version)
        .isNotEmptyFile();
    assertThat(UpgradeFixture.RESOURCES.resolve("v" + version + ".key")).isNotEmptyFile();
  }

  @ParameterizedTest
  @MethodSource("released")
  void work_in_flight_comes_to_its_right_end(int version) throws IOException, SQLException {
    TestDatabase database = EarlierDatabase.load(version, place, data);
    Path config = UpgradeFixture.config(place);
    Files.writeString(place.resolve("go"), "");
    try (Running running = new Running(database, data, Optional.of(config))) {
      String dora = EarlierDatabase.key(running, "dora");
      String paul = EarlierDatabase.key(running, "paul");
      approve(running, paul);
      retry(running, dora);
      for (String workflow :
          List.of("quick", "held", "timer", "backoff", "asking", "create-box", "create-vault")) {
        ends(database, workflow, "succeeded");
      }
      ends(database, "undoing", "failed");
      if (version >= WITH_CALLS) {
        calledOnce(database);
      }
      bothApplicationsAreActive(running, dora);
      nothingHappenedTwice();
      undone(database);
      secretsCanBeRead(running, dora);
      nothingIsLeft(database);
    }
  }

  @Test
  void a_schema_of_the_future_is_refused_with_a_sentence() throws SQLException {
    TestDatabase database = TestPostgres.freshDatabase();
    EarlierDatabase.newest(database);
    EarlierDatabase.sql(
        database,
        "INSERT INTO flyway_schema_history VALUES (99, '99', 'tomorrow', 'SQL',"
            + " 'V99__tomorrow.sql', 1, 'postgres', now(), 1, true)");
    assertThat(failureOf(database))
        .contains("has schema version 99")
        .contains("newer than the " + newest() + " that this Slipway supports")
        .contains("Start the newer Slipway, or restore a backup");
    assertThat(EarlierDatabase.strings(database, "SELECT max(version) FROM flyway_schema_history"))
        .containsExactly("99");
  }

  private String failureOf(TestDatabase database) {
    try (Running never = new Running(database, data, Optional.empty())) {
      return "it started at " + never.server.url();
    } catch (StartFailure e) {
      return e.getMessage();
    }
  }

  private static MigrationVersion newest() {
    try (Stream<Path> files = Files.list(MIGRATIONS)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.matches("V[\\d_]+__.*\\.sql"))
          .map(f -> MigrationVersion.fromVersion(f.replaceAll("^V|__.*", "")))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** During a rolling upgrade servers of the version before go on writing. */
  @ParameterizedTest
  @MethodSource("released")
  void rows_as_the_version_before_writes_them_fit_the_new_schema(int version)
      throws IOException, SQLException {
    TestDatabase database = TestPostgres.freshDatabase();
    EarlierDatabase.newest(database);
    EarlierDatabase.sql(database, "DELETE FROM environments");
    String dump = Files.readString(UpgradeFixture.RESOURCES.resolve("v" + version + ".sql"));
    List<String> rows =
        Arrays.stream(dump.split(";\n(?=INSERT INTO )"))
            .filter(row -> !row.startsWith("INSERT INTO flyway_"))
            .toList();
    List<String> refused = rows;
    int before;
    do {
      before = refused.size();
      refused = refused.stream().filter(row -> !accepted(database, row)).toList();
    } while (refused.size() < before);
    assertThat(refused).isEmpty();
    assertThat(EarlierDatabase.strings(database, "SELECT count(*) FROM runs"))
        .isNotEqualTo(List.of("0"));
  }

  /** Beside many rows, so that building an index takes a while. */
  @Test
  void servers_of_the_version_before_go_on_through_the_migrations_and_do_not_stop_them()
      throws Exception {
    TestDatabase database = TestPostgres.freshDatabase();
    EarlierDatabase.trunk(database, "2");
    EarlierDatabase.sql(
        database,
        "INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,"
            + " inputs, application, state, created_by, created_at) SELECT gen_random_uuid(),"
            + " 'golden-path', 'd', 'tools', 'quick', 'default', 'red', '{}', 'shop', 'succeeded',"
            + " 'dora', now() FROM generate_series(1, 50000)");
    AtomicBoolean migrated = new AtomicBoolean();
    CountDownLatch working = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> old =
          threads.submit(
              () -> {
                while (!migrated.get()) {
                  // Waits to write with what it has read in hand, as one that claims runs does.
                  EarlierDatabase.sql(
                      database,
                      "BEGIN; SELECT id FROM runs WHERE state = 'pending' FOR UPDATE SKIP LOCKED;"
                          + " UPDATE runs SET epoch = epoch + 1 WHERE state = 'pending'; COMMIT");
                  working.countDown();
                }
                return null;
              });
      try {
        working.await();
        EarlierDatabase.newest(database);
      } finally {
        migrated.set(true);
      }
      old.get();
    }
    assertThat(
            EarlierDatabase.strings(
                    database, "SELECT indexdef FROM pg_indexes WHERE tablename = 'runs'")
                .stream()
                .filter(index -> index.contains("application,")))
        .singleElement()
        .asString()
        .contains("INDEX runs_of_application ON");
  }

  /** A row that refers to one that is not there yet is refused: it comes again. */
  private static boolean accepted(TestDatabase database, String row) {
    try {
      EarlierDatabase.sql(database, row);
      return true;
    } catch (SQLException e) {
      if (FOREIGN_KEY.equals(e.getSQLState())) {
        return false;
      }
      throw new AssertionError(row, e);
    }
  }

  // ---------------------------------------------------------------- what must hold

  private static void approve(Running running, String paul) throws SQLException {
    String step =
        EarlierDatabase.strings(
                running.database,
                "SELECT id FROM approvals WHERE kind = 'step' AND state = 'pending'")
            .getFirst();
    running.as(paul).post("/api/approvals/" + step + "/approve", "{}").expect(200);
  }

  private void retry(Running running, String dora) throws SQLException {
    String failed =
        EarlierDatabase.strings(running.database, "SELECT id FROM runs WHERE workflow = 'failing'")
            .getFirst();
    var again =
        running.as(dora).post("/api/workflows/" + failed + "/retry", "{}").expect(202).json();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        running
                            .as(dora)
                            .get("/api/workflows/" + again.get("id"))
                            .expect(200)
                            .json())
                    .containsEntry("status", "succeeded"));
  }

  private static void ends(TestDatabase database, String workflow, String state) {
    Awaitility.await(workflow + " " + state)
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        EarlierDatabase.strings(
                            database,
                            "SELECT DISTINCT state || coalesce(error::text, '') FROM runs WHERE"
                                + " kind <> 'rollback' AND workflow = '"
                                + workflow
                                + "'"))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith(state));
  }

  private static void bothApplicationsAreActive(Running running, String dora) {
    for (String app : List.of("shop", "cart")) {
      Awaitility.await(app)
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(running.as(dora).get("/api/applications/" + app).expect(200).json())
                      .containsEntry("state", "active"));
    }
  }

  /** Files of the version before are not there: every line was written after the upgrade. */
  private void nothingHappenedTwice() throws IOException {
    Map<String, String> lines =
        Map.of(
            "quick", "noted",
            "held-passed", "passed",
            "timer", "rang",
            "backoff", "tried",
            "asking", "allowed",
            "box", "made",
            "vault-cart-later", "made",
            "undoing-first-undone", "undone",
            "failing-mended", "mended");
    for (Map.Entry<String, String> line : lines.entrySet()) {
      assertThat(place.resolve(line.getKey())).hasContent(line.getValue());
    }
    for (String before :
        List.of(
            "held-begun",
            "vault-shop-db",
            "undoing-first",
            "undoing-second",
            "undoing-second-undone",
            "failing-good")) {
      assertThat(place.resolve(before)).doesNotExist();
    }
  }

  /** The caller waits for the run that it had made before, and for no other. */
  private void calledOnce(TestDatabase database) throws SQLException {
    ends(database, "calling", "succeeded");
    assertThat(
            EarlierDatabase.strings(database, "SELECT state FROM runs WHERE workflow = 'called'"))
        .containsExactly("succeeded");
    assertThat(place.resolve("called")).hasContent("called");
    assertThat(place.resolve("calling")).hasContent("heard");
  }

  private static void undone(TestDatabase database) throws SQLException {
    assertThat(
            EarlierDatabase.strings(
                database,
                "SELECT s.name || ' ' || s.state FROM steps s JOIN runs r ON r.id = s.run_id WHERE"
                    + " r.workflow = 'undoing' AND r.kind <> 'rollback' AND s.name NOT LIKE '%/%'"
                    + " ORDER BY 1"))
        .containsExactly("bad failed", "first rolled-back", "second rolled-back");
    assertThat(
            EarlierDatabase.strings(
                database,
                "SELECT rollback FROM runs WHERE workflow = 'undoing' AND kind <> 'rollback'"))
        .containsExactly("complete");
  }

  private static void secretsCanBeRead(Running running, String dora) throws SQLException {
    String db =
        EarlierDatabase.strings(
                running.database,
                "SELECT id FROM resources WHERE identity LIKE '%common' AND type = 'vault'")
            .getFirst();
    assertThat(
            running
                .as(dora)
                .get("/api/resources/" + db + "/outputs?reveal=true")
                .expect(200)
                .body())
        .contains("open-sesame-4711");
  }

  private static void nothingIsLeft(TestDatabase database) throws SQLException {
    assertThat(
            EarlierDatabase.strings(
                database,
                "SELECT workflow || ' ' || state FROM runs WHERE cause IS DISTINCT FROM 'observation'"
                    + " AND (state NOT IN ('succeeded', 'failed') OR claimable_at IS NOT NULL)"))
        .isEmpty();
  }
}
