package dev.slipway.bench;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.Scripts;
import dev.slipway.postgres.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/** A PostgreSQL of the benchmark's own, with the settings that the server uses. */
final class BenchDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 10;

  private final Path directory;
  private final EmbeddedServer server;
  private final Database database;

  BenchDatabase() throws IOException {
    this(Files.createTempDirectory("slipway-bench"));
  }

  private BenchDatabase(Path directory) {
    this.directory = directory;
    this.server = start(directory);
    this.database =
        Database.open(
            server.address(),
            CONNECTIONS,
            new Database.Schema(Database.Migrate.AUTO, List.of(Scripts.ofBranch("applications"))));
  }

  private static EmbeddedServer start(Path directory) {
    return EmbeddedServer.start(directory.resolve("pg"), OptionalInt.empty());
  }

  /** One with {@code pg_stat_statements}, which is loaded at the start of a server only. */
  static BenchDatabase countingStatements() throws IOException {
    Path directory = Files.createTempDirectory("slipway-bench");
    try (EmbeddedServer first = start(directory)) {
      Database.Address address = first.address();
      try (Connection connection =
              DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
        statement.execute("CREATE EXTENSION pg_stat_statements");
      } catch (SQLException e) {
        throw new IOException("statements cannot be counted: " + e.getMessage(), e);
      }
    }
    return new BenchDatabase(directory);
  }

  Database database() {
    return database;
  }

  ProcessHandle process() {
    return server.process();
  }

  /** For files that go with the database. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    database.close();
    server.close();
    try (var all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
