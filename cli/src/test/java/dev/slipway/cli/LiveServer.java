package dev.slipway.cli;

import dev.slipway.postgres.Database;
import dev.slipway.server.DatabaseUrl;
import dev.slipway.server.Options;
import dev.slipway.server.SlipwayServer;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A real server on a real PostgreSQL, and the command line as its administrator. */
final class LiveServer implements AutoCloseable {
  final TestDatabase database;
  final SlipwayServer server;
  final Cli cli;
  final Cli stranger;

  LiveServer(Path data, Path config) throws IOException {
    this(data, config, TestPostgres.freshDatabase());
  }

  /** One more replica on that database. */
  LiveServer(Path data, Path config, TestDatabase database) throws IOException {
    this.database = database;
    this.server =
        SlipwayServer.start(
            new Options(
                Optional.ofNullable(config),
                data,
                "127.0.0.1",
                0,
                Optional.of(
                    new DatabaseUrl(
                        new Database.Address(
                            database.jdbcUrl(), database.user(), database.password()))),
                Optional.empty(),
                Database.Migrate.AUTO,
                Options.Cluster.NONE,
                Optional.empty()));
    String token = Files.readString(server.adminTokenFile()).strip();
    this.cli = new Cli("--server", server.url(), "--token", token);
    this.stranger = new Cli("--server", server.url(), "--token", "nobody");
  }

  @Override
  public void close() {
    server.close();
  }
}
