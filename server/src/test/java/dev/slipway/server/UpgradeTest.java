package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
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
    return List.of(1, 2, 3, 4, 9);
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
    TestDatabase database = load(version);
    Path config = UpgradeFixture.config(place);
    Files.writeString(place.resolve("go"), "");
    try (Running running = new Running(database, data, Optional.of(config))) {
      String dora = key(running, "dora");
      String paul = key(running, "paul");
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
    schema(database, "latest");
    sql(
        database,
        "INSERT INTO flyway_schema_history VALUES (99, '99', 'tomorrow', 'SQL',"
            + " 'V99__tomorrow.sql', 1, 'postgres', now(), 1, true)");
    assertThat(failureOf(database))
        .contains("has schema version 99")
        .contains("newer than the " + newest() + " that this Slipway supports")
        .contains("Start the newer Slipway, or restore a backup");
    assertThat(strings(database, "SELECT max(version) FROM flyway_schema_history"))
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
    schema(database, "latest");
    sql(database, "DELETE FROM environments");
    String dump = Files.readString(UpgradeFixture.RESOURCES.resolve("v" + version + ".sql"));
    List<String> rows =
        Arrays.stream(dump.split(";\n(?=INSERT INTO )"))
            .filter(row -> !row.startsWith("INSERT INTO flyway_schema_history"))
            .toList();
    List<String> refused = rows;
    int before;
    do {
      before = refused.size();
      refused = refused.stream().filter(row -> !accepted(database, row)).toList();
    } while (refused.size() < before);
    assertThat(refused).isEmpty();
    assertThat(strings(database, "SELECT count(*) FROM runs")).isNotEqualTo(List.of("0"));
  }

  /** Beside many rows, so that building an index takes a while. */
  @Test
  void servers_of_the_version_before_go_on_through_the_migrations_and_do_not_stop_them()
      throws Exception {
    TestDatabase database = TestPostgres.freshDatabase();
    schema(database, "2");
    sql(
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
                  sql(
                      database,
                      "BEGIN; SELECT id FROM runs WHERE state = 'pending' FOR UPDATE SKIP LOCKED;"
                          + " UPDATE runs SET epoch = epoch + 1 WHERE state = 'pending'; COMMIT");
                  working.countDown();
                }
                return null;
              });
      try {
        working.await();
        schema(database, "latest");
      } finally {
        migrated.set(true);
      }
      old.get();
    }
    assertThat(
            strings(database, "SELECT indexdef FROM pg_indexes WHERE tablename = 'runs'").stream()
                .filter(index -> index.contains("application,")))
        .singleElement()
        .asString()
        .contains("INDEX runs_of_application ON");
  }

  /** A row that refers to one that is not there yet is refused: it comes again. */
  private static boolean accepted(TestDatabase database, String row) {
    try {
      sql(database, row);
      return true;
    } catch (SQLException e) {
      if (FOREIGN_KEY.equals(e.getSQLState())) {
        return false;
      }
      throw new AssertionError(row, e);
    }
  }

  // ---------------------------------------------------------------- what must hold

  private void approve(Running running, String paul) {
    var asked = running.as(paul).get("/api/approvals?state=pending").expect(200).json();
    Map<?, ?> approval = (Map<?, ?>) ((List<?>) asked.get("data")).getFirst();
    running.as(paul).post("/api/approvals/" + approval.get("id") + "/approve", "{}").expect(200);
  }

  private void retry(Running running, String dora) throws SQLException {
    String failed =
        strings(running.database, "SELECT id FROM runs WHERE workflow = 'failing'").getFirst();
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
                        strings(
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
    assertThat(strings(database, "SELECT state FROM runs WHERE workflow = 'called'"))
        .containsExactly("succeeded");
    assertThat(place.resolve("called")).hasContent("called");
    assertThat(place.resolve("calling")).hasContent("heard");
  }

  private static void undone(TestDatabase database) throws SQLException {
    assertThat(
            strings(
                database,
                "SELECT s.name || ' ' || s.state FROM steps s JOIN runs r ON r.id = s.run_id WHERE"
                    + " r.workflow = 'undoing' AND r.kind <> 'rollback' AND s.name NOT LIKE '%/%'"
                    + " ORDER BY 1"))
        .containsExactly("bad failed", "first rolled-back", "second rolled-back");
    assertThat(
            strings(
                database,
                "SELECT rollback FROM runs WHERE workflow = 'undoing' AND kind <> 'rollback'"))
        .containsExactly("complete");
  }

  private static void secretsCanBeRead(Running running, String dora) throws SQLException {
    String db =
        strings(
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
            strings(
                database,
                "SELECT workflow || ' ' || state FROM runs WHERE cause IS DISTINCT FROM 'observation'"
                    + " AND (state NOT IN ('succeeded', 'failed') OR claimable_at IS NOT NULL)"))
        .isEmpty();
  }

  // ---------------------------------------------------------------- the database from before

  private TestDatabase load(int version) throws IOException, SQLException {
    TestDatabase database = TestPostgres.freshDatabase();
    schema(database, "" + version);
    String rows =
        Files.readString(UpgradeFixture.RESOURCES.resolve("v" + version + ".sql"))
            .replace("@PLACE@", place.toString())
            .replace("@DATA@", data.toString())
            .replace("@HOME@", Path.of("..").toAbsolutePath().normalize().toString());
    sql(
        database,
        "DELETE FROM environments; DELETE FROM flyway_schema_history;"
            + " SET session_replication_role = replica; "
            + rows
            + sequences(database)
            + aWhileAgo(database));
    Files.copy(
        UpgradeFixture.RESOURCES.resolve("v" + version + ".key"), data.resolve("secret.key"));
    return database;
  }

  private static void schema(TestDatabase database, String version) {
    Flyway flyway =
        Flyway.configure()
            .dataSource(database.jdbcUrl(), database.user(), database.password())
            .locations("classpath:db/migration")
            .target(MigrationVersion.fromVersion(version))
            .load();
    flyway
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    flyway.migrate();
  }

  /** Numbers go on after those that are taken. */
  private static String sequences(TestDatabase database) throws SQLException {
    return String.join(
        "",
        strings(
            database,
            "SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), 1000000);', table_name,"
                + " column_name) FROM information_schema.columns WHERE table_schema = 'public' AND"
                + " pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL"));
  }

  /** Moves all times so that leases and timers have passed, but no time limit of a step. */
  private static String aWhileAgo(TestDatabase database) throws SQLException {
    List<String> moves =
        strings(
            database,
            "SELECT format('UPDATE %I SET %s;', table_name, string_agg(format('%1$I = %1$I + ("
                + "SELECT by FROM moved)', column_name), ', ')) FROM information_schema.columns"
                + " WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'"
                + " AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)"
                + " GROUP BY table_name");
    String clock = "SELECT now() - interval '8 minutes' - max(at) AS by FROM events;";
    return "CREATE TEMP TABLE moved AS " + clock + String.join("", moves);
  }

  /** A new key: those of before are only known by their hash. */
  private static String key(Running running, String user) {
    return (String)
        running
            .asAdmin()
            .post("/api/admin/users/" + user + "/api-keys", "{\"name\":\"after\"}")
            .expect(201)
            .json()
            .get("token");
  }

  private static List<String> strings(TestDatabase database, String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(database)) {
      return UpgradeFixture.strings(c, sql);
    }
  }

  private static void sql(TestDatabase database, String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(database);
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }
}
