package dev.slipway.server;

import dev.slipway.postgres.Migrations;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** Databases as earlier releases have left them, see {@link UpgradeFixture}. */
final class EarlierDatabase {
  private EarlierDatabase() {}

  /** With the key of its secrets in the data directory, and its leases and timers in the past. */
  static TestDatabase load(int version, Path place, Path data) throws IOException, SQLException {
    TestDatabase database = TestPostgres.freshDatabase();
    trunk(database, "" + version);
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

  /** The schema of this version, with the tables of all branches. */
  static void newest(TestDatabase database) {
    new Migrations(Running.url(database).address(), BranchList.ALL.migrations()).apply();
  }

  /** The schema of a release; up to version 12 branches had no scripts of their own. */
  static void trunk(TestDatabase database, String version) {
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
  static String key(Running running, String user) {
    return (String)
        running
            .asAdmin()
            .post("/api/admin/users/" + user + "/api-keys", "{\"name\":\"after\"}")
            .expect(201)
            .json()
            .get("token");
  }

  static List<String> strings(TestDatabase database, String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(database)) {
      return UpgradeFixture.strings(c, sql);
    }
  }

  static void sql(TestDatabase database, String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(database);
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }
}
