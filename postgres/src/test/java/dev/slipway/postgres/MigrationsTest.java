package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Migrations beside sessions that use the tables, with scripts of the test. */
class MigrationsTest {
  private static final Migrations.Patience SHORT =
      new Migrations.Patience(
          Duration.ofMillis(100), 3, Duration.ofMillis(20), Duration.ofMillis(20));
  private static final Migrations.Patience LONG =
      new Migrations.Patience(
          Duration.ofMillis(100), 1000, Duration.ofMillis(20), Duration.ofMillis(20));

  @TempDir Path scripts;
  private final TestDatabase database = TestPostgres.freshDatabase();

  @BeforeEach
  void first() throws IOException {
    script("V1__ships.sql", "CREATE TABLE ships (name text); INSERT INTO ships VALUES ('a')");
    migrations(SHORT).apply();
  }

  @Test
  void what_there_is_to_do_is_listed_without_doing_it() throws IOException {
    script("V2__ports.sql", "CREATE TABLE ports (name text)");
    Migrations migrations = migrations(SHORT);
    for (int i = 0; i < 2; i++) {
      Migrations.State state = migrations.state();
      assertThat(state.applied()).contains("1");
      assertThat(state.known()).isEqualTo("2");
      assertThat(state.pending()).containsExactly("2 ports");
      assertThat(state.current()).isFalse();
    }
    assertThatThrownBy(migrations::requireApplied)
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("has schema version 1, this Slipway needs 2")
        .hasMessageContaining("Run 'slipway migrate'");
    assertThat(migrations.apply().pending()).containsExactly("2 ports");
    assertThat(migrations.state().current()).isTrue();
    migrations.requireApplied();
  }

  @Test
  void a_migration_that_cannot_get_its_lock_gives_up_with_a_sentence_and_changes_nothing()
      throws Exception {
    script("V2__flags.sql", "CREATE TABLE flags (f text); ALTER TABLE ships ADD COLUMN flag text");
    try (Connection other = reading()) {
      assertThatThrownBy(() -> migrations(SHORT).apply())
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("migration '2 flags'")
          .hasMessageContaining("within 100 ms in 3 attempts, and changed nothing")
          .hasMessageContaining("The oldest transaction there: process " + pid(other))
          .hasMessageContaining("run 'slipway migrate'");
      assertThat(strings("SELECT to_regclass('flags')::text")).containsOnlyNulls();
      // The statement that waited is gone, so that writers do not queue behind it.
      assertThat(strings("INSERT INTO ships VALUES ('b') RETURNING name")).containsExactly("b");
    }
  }

  @Test
  void a_migration_is_tried_again_until_it_gets_its_lock() throws Exception {
    script("V2__flag.sql", "ALTER TABLE ships ADD COLUMN flag text");
    CompletableFuture<Migrations.State> migrated;
    try (Connection other = reading()) {
      migrated = CompletableFuture.supplyAsync(() -> migrations(LONG).apply());
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::waitsForTheTable);
      // A transaction that queues behind the migration waits for 100 ms, and the other one goes on.
      assertThat(strings("INSERT INTO ships VALUES ('b') RETURNING name")).containsExactly("b");
      assertThat(migrated).isNotDone();
    }
    assertThat(migrated.get().pending()).containsExactly("2 flag");
    assertThat(migrations(SHORT).state().current()).isTrue();
  }

  @Test
  void an_index_whose_concurrent_build_was_interrupted_is_built_again() throws Exception {
    concurrently("V2__indexes.sql", "ships_by_name");
    try (Connection other = writing()) {
      CompletableFuture<Migrations.State> migrated =
          CompletableFuture.supplyAsync(() -> migrations(SHORT).apply());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> validity("ships_by_name").equals(List.of("f")));
      strings(
          "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity"
              + " WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'");
      assertThatThrownBy(migrated::get).hasCauseInstanceOf(DatabaseException.class);
    }
    assertThat(validity("ships_by_name")).containsExactly("f");
    Migrations.State state = migrations(SHORT).state();
    assertThat(state.pending()).containsExactly("2 indexes");
    assertThat(state.unfinished()).containsExactly("ships_by_name");

    migrations(SHORT).apply();

    assertThat(validity("ships_by_name")).containsExactly("t");
    assertThat(migrations(SHORT).state().current()).isTrue();
    assertThat(strings("SELECT success::text FROM flyway_schema_history")).containsOnly("true");
  }

  @Test
  void a_concurrent_build_waits_for_transactions_and_no_writer_waits_for_it() throws Exception {
    concurrently("V2__indexes.sql", "ships_by_name");
    CompletableFuture<Migrations.State> one;
    CompletableFuture<Migrations.State> another;
    try (Connection other = writing()) {
      one = CompletableFuture.supplyAsync(() -> migrations(SHORT).apply());
      another = CompletableFuture.supplyAsync(() -> migrations(SHORT).apply());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> validity("ships_by_name").equals(List.of("f")));
      assertThat(strings("INSERT INTO ships VALUES ('c') RETURNING name")).containsExactly("c");
    }
    one.get();
    another.get();
    assertThat(validity("ships_by_name")).containsExactly("t");
    assertThat(strings("SELECT version FROM flyway_schema_history ORDER BY 1"))
        .containsExactly("1", "2");
  }

  private void concurrently(String name, String index) throws IOException {
    script(
        name,
        "SET lock_timeout = '10min';\nCREATE INDEX CONCURRENTLY IF NOT EXISTS %s ON ships (name);\nRESET lock_timeout;"
            .formatted(index));
    script(name + ".conf", "executeInTransaction=false");
  }

  private void script(String name, String text) throws IOException {
    Files.writeString(scripts.resolve(name), text);
  }

  private Migrations migrations(Migrations.Patience patience) {
    return new Migrations(
        new Database.Address(database.jdbcUrl(), database.user(), database.password()),
        patience,
        new Scripts("trunk", "filesystem:" + scripts, "flyway_schema_history"),
        List.of());
  }

  private boolean waitsForTheTable() throws SQLException {
    return !strings(
            "SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'ships'::regclass")
        .isEmpty();
  }

  private List<String> validity(String index) throws SQLException {
    return strings(
        "SELECT i.indisvalid::text::char FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            + " WHERE c.relname = '"
            + index
            + "'");
  }

  /** A session in a transaction that has read the table. */
  private Connection reading() throws SQLException {
    return open("SELECT name FROM ships");
  }

  private Connection writing() throws SQLException {
    return open("INSERT INTO ships VALUES ('open')");
  }

  private Connection open(String sql) throws SQLException {
    Connection connection = connect();
    connection.setAutoCommit(false);
    connection.createStatement().execute(sql);
    return connection;
  }

  private static String pid(Connection connection) throws SQLException {
    return strings(connection, "SELECT pg_backend_pid()::text").getFirst();
  }

  private List<String> strings(String sql) throws SQLException {
    try (Connection connection = connect()) {
      return strings(connection, sql);
    }
  }

  private static List<String> strings(Connection connection, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}
