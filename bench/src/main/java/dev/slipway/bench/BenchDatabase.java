package dev.slipway.bench;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.Scripts;
import dev.slipway.postgres.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    this.directory = Files.createTempDirectory("slipway-bench");
    this.server = EmbeddedServer.start(directory.resolve("pg"), OptionalInt.empty());
    this.database =
        Database.open(
            server.address(),
            CONNECTIONS,
            new Database.Schema(Database.Migrate.AUTO, List.of(Scripts.ofBranch("applications"))));
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
