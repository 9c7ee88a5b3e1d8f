package dev.slipway.testbed;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Real PostgreSQL servers, one per test JVM and version, started at first use and stopped with the
 * JVM, also after a crash. Their data is temporary, so they do not fsync.
 */
public final class TestPostgres {
  private static final String USER = "postgres";
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final Map<PostgresVersion, EmbeddedPostgres> SERVERS = new ConcurrentHashMap<>();

  /**
   * Deletes the data when its standard input closes, that is when this JVM has ended. Deleting a
   * thousand files per database takes half a minute, for which no test should wait.
   */
  private static final String LEASH =
      "trap '' HUP INT TERM; read -r _; read -r p 2>/dev/null <\"$1\"/postmaster.pid"
          + " && kill -QUIT $p; i=0; while [ -e \"$1\"/postmaster.pid ] && [ $i -lt 100 ];"
          + " do sleep 0.1; i=$((i+1)); done; rm -rf \"$1\"";

  private TestPostgres() {}

  private static EmbeddedPostgres server(PostgresVersion version) {
    return SERVERS.computeIfAbsent(version, TestPostgres::start);
  }

  private static EmbeddedPostgres start(PostgresVersion version) {
    try {
      Path data = Files.createTempDirectory("slipway-postgres");
      new ProcessBuilder("/bin/sh", "-c", LEASH, "leash", data.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return EmbeddedPostgres.builder()
          .setPgBinaryResolver(version.binaries())
          .setDataDirectory(data)
          .setCleanDataDirectory(false)
          .setServerConfig("fsync", "off")
          .setServerConfig("synchronous_commit", "off")
          .setServerConfig("full_page_writes", "off")
          .setServerConfig("max_connections", "200")
          .setServerConfig("max_wal_size", "2GB")
          .setServerConfig("autovacuum_naptime", "10s")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the test PostgreSQL " + version.major(), e);
    }
  }

  /** An empty database that no other test uses. Call once per test class. */
  public static TestDatabase freshDatabase() {
    return freshDatabase(PostgresVersion.ofThisBuild());
  }

  /** The same on a server of that version. */
  public static TestDatabase freshDatabase(PostgresVersion version) {
    String name = "test_" + DATABASES.incrementAndGet();
    execute(server(version), "CREATE DATABASE " + name);
    return database(server(version), name);
  }

  /**
   * A copy of a database without connections. Migrating one and copying it is much faster than
   * migrating each.
   */
  public static TestDatabase copyOf(TestDatabase template) {
    String name = "test_" + DATABASES.incrementAndGet();
    EmbeddedPostgres server = serverOf(template);
    execute(server, "CREATE DATABASE " + name + " TEMPLATE " + nameOf(template));
    return database(server, name);
  }

  /** Terminates every connection to that database, as a restart of the server would. */
  public static void cutConnections(TestDatabase database) {
    execute(
        serverOf(database),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
            + nameOf(database)
            + "'");
  }

  private static TestDatabase database(EmbeddedPostgres server, String name) {
    return new TestDatabase(
        "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/" + name, USER, "unused");
  }

  private static EmbeddedPostgres serverOf(TestDatabase database) {
    String place = "127.0.0.1:%d/";
    return SERVERS.values().stream()
        .filter(s -> database.jdbcUrl().contains(place.formatted(s.getPort())))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("of no test server: " + database));
  }

  private static String nameOf(TestDatabase database) {
    return database.jdbcUrl().replaceAll("^.*/|\\?.*$", "");
  }

  private static void execute(EmbeddedPostgres server, String sql) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("the test PostgreSQL refused: " + sql, e);
    }
  }
}
