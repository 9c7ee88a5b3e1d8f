package dev.slipway.promises;

import dev.slipway.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A provider whose steps all call the witness, its configuration, and a look into the database. */
final class Yard implements AutoCloseable {
  private final Path directory;
  private final TestDatabase database;
  private @Nullable Connection connection;

  /** The configuration and the provider alone, for a server whose database is its own. */
  static Path configFor(Path directory, Witness witness) throws IOException {
    try (Yard yard = new Yard(directory, new TestDatabase("", "", ""), witness)) {
      return yard.config();
    }
  }

  Yard(Path directory, TestDatabase database, Witness witness) throws IOException {
    this.directory = directory;
    this.database = database;
    Provider.write(directory.resolve("provider"), witness.url());
  }

  /** The administrator's configuration. */
  Path config() throws IOException {
    Path file = directory.resolve("admin-config.yaml");
    Files.writeString(
        file,
        """
        providers:
          - {source: filesystem, path: ./provider, grants: {hosts: [127.0.0.1]}}
        """);
    return file;
  }

  static String score(String application, String type) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      thing: {type: %s}
    """
        .formatted(application, type);
  }

  /** The same with a parameter. */
  static String score(String application, String type, int version) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      thing: {type: %s, params: {version: '%d'}}
    """
        .formatted(application, type, version);
  }

  /** With another resource that needs something of the first. */
  static String scoreOfTwo(String application, String type) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      thing: {type: %s}
      other: {type: needy, params: {given: '${resources.thing.nothing}'}}
    """
        .formatted(application, type);
  }

  /** Changes something. */
  synchronized void execute(String sql) {
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rows of a query, each as its columns joined by a space. */
  synchronized List<String> rows(String sql, String... parameters) {
    try (PreparedStatement statement = connection().prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<String> rows = new ArrayList<>();
      try (ResultSet results = statement.executeQuery()) {
        while (results.next()) {
          List<String> columns = new ArrayList<>();
          for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
            columns.add(String.valueOf(results.getString(i)));
          }
          rows.add(String.join(" ", columns));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One for all questions: there are very many. */
  private Connection connection() throws SQLException {
    if (connection == null) {
      connection =
          DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }
    return connection;
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
