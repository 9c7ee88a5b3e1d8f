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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A provider whose steps all call the witness, its configuration, and a look into the database. */
final class Yard implements AutoCloseable {
  private static final String HEAD =
      "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: x}\n";

  private final Path directory;
  private final TestDatabase database;
  private final String witness;
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
    this.witness = witness.url();
    provider();
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

  private void provider() throws IOException {
    Files.createDirectories(directory.resolve("provider"));
    workflow("plain", "steps:\n" + call("one", "one") + call("two", "two"));
    workflow(
        "parallel",
        "steps:\n"
            + call("left", "left, parallel: true")
            + call("right", "right, parallel: true")
            + call("last", "last"));
    workflow(
        "retrying",
        "steps:\n"
            + call("flaky", "flaky/flaky, retry: {attempts: 4, delay: 50ms, jitter: 0}")
            + call("after", "after"));
    workflow(
        "undoing",
        "steps:\n"
            + call("make", "make, compensate: [" + inline("undo", "undo") + "]")
            + call("more", "more, compensate: [" + inline("undo-more", "undo-more") + "]")
            + call("fail", "fail/refused, on_error: rollback"));
    workflow(
        "approving",
        "steps:\n"
            + call("before", "before")
            + "  - {name: sign, type: approval, config: {allowSelf: true}}\n"
            + call("after", "after"));
    workflow(
        "lasting",
        "steps:\n"
            + call("first", "first")
            + "  - {name: rest, type: wait, config: {duration: 1h}}\n");
    workflow(
        "nested",
        "steps:\n"
            + call("outer", "outer")
            + "  - {name: inner, type: workflow, workflow: plain}\n"
            + call("end", "end"));
    workflow("drop", "steps:\n" + call("drop", "drop"));
    Files.writeString(directory.resolve("provider/provider.yaml"), manifest());
  }

  private static String manifest() {
    StringBuilder text =
        new StringBuilder(
            "apiVersion: v1\nkind: Provider\nmetadata: {name: yard, version: 1.0.0}\n"
                + "capabilities:\n  resourceTypeCapabilities:\n");
    StringBuilder workflows = new StringBuilder("workflows:\n");
    List<String> types =
        List.of("plain", "parallel", "retrying", "undoing", "approving", "lasting", "nested");
    for (String type : types) {
      text.append(
          "    - {type: %1$s, operations: {create: {workflow: %1$s}, delete: {workflow: drop}}}\n"
              .formatted(type));
      workflows.append("  - {name: %1$s, file: %1$s.yaml}\n".formatted(type));
    }
    return text.append(workflows).append("  - {name: drop, file: drop.yaml}\n").toString();
  }

  private void workflow(String name, String body) throws IOException {
    Files.writeString(directory.resolve("provider/" + name + ".yaml"), HEAD + body);
  }

  /** A step that calls the witness; {@code effect} may be followed by more fields. */
  private String call(String name, String effect) {
    return "  - " + inline(name, effect) + "\n";
  }

  private String inline(String name, String effect) {
    String path = effect.replaceAll(",.*", "");
    String more = effect.substring(path.length());
    return "{name: %s, type: http, config: {method: POST, url: '%s/{{ .parameters.app_name }}/%s'}%s}"
        .formatted(name, witness, path, more);
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
