package dev.slipway.testbed;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real PostgreSQL, one per test JVM, started at first use and stopped with it, however it ends.
 * Its data is thrown away, so it does not wait for the disk.
 */
public final class TestPostgres {
  private static final String USER = "postgres";
  private static final AtomicInteger DATABASES = new AtomicInteger();

  /**
   * Throws the data away when its standard input ends: when this JVM has gone. A thousand files a
   * database take half a minute, for which nobody should have to wait.
   */
  private static final String LEASH =
      "trap '' HUP INT TERM; read -r _; read -r p 2>/dev/null <\"$1\"/postmaster.pid"
          + " && kill -QUIT $p; i=0; while [ -e \"$1\"/postmaster.pid ] && [ $i -lt 100 ];"
          + " do sleep 0.1; i=$((i+1)); done; rm -rf \"$1\"";

  private TestPostgres() {}

  private static final class Server {
    static final EmbeddedPostgres RUNNING = start();

    private static EmbeddedPostgres start() {
      try {
        Path data = Files.createTempDirectory("slipway-postgres");
        new ProcessBuilder("/bin/sh", "-c", LEASH, "leash", data.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
        return EmbeddedPostgres.builder()
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
        throw new UncheckedIOException("cannot start the test PostgreSQL", e);
      }
    }
  }

  /** An empty database that nobody else uses. Ask once per test class. */
  public static TestDatabase freshDatabase() {
    String name = "test_" + DATABASES.incrementAndGet();
    execute("CREATE DATABASE " + name);
    return database(name);
  }

  /**
   * A copy of a database to which nobody is connected: migrate one, copy it many times. Much
   * quicker than migrating each.
   */
  public static TestDatabase copyOf(TestDatabase template) {
    String name = "test_" + DATABASES.incrementAndGet();
    String from = template.jdbcUrl().replaceAll("^.*/|\\?.*$", "");
    execute("CREATE DATABASE " + name + " TEMPLATE " + from);
    return database(name);
  }

  /** Cuts every connection to that database, as a restarting server would. */
  public static void cutConnections(TestDatabase database) {
    String name = database.jdbcUrl().replaceAll("^.*/|\\?.*$", "");
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
  }

  private static TestDatabase database(String name) {
    return new TestDatabase(
        "jdbc:postgresql://127.0.0.1:" + Server.RUNNING.getPort() + "/" + name, USER, "unused");
  }

  private static void execute(String sql) {
    try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("the test PostgreSQL refused: " + sql, e);
    }
  }
}
