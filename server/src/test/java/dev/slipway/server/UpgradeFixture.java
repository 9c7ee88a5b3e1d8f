package dev.slipway.server;

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
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Writes the database of this version with work in flight, for the test of the next one: run {@link
 * #main} before a release and commit what it writes. The server is cut off from its database while
 * it works, so that nothing in there has been put in order.
 */
final class UpgradeFixture {
  static final Path RESOURCES =
      Path.of("..", "postgres", "src", "test", "resources", "upgrade").toAbsolutePath().normalize();
  private static final List<String> PATHS =
      List.of("quick", "held", "timer", "backoff", "asking", "undoing", "calling");

  private UpgradeFixture() {}

  /** The one argument is the name of the files, as {@code v2}. */
  public static void main(String[] args) throws IOException, SQLException {
    Path place = Files.createTempDirectory("slipway-fixture");
    Running running = new Running(Optional.of(config(place)));
    try {
      work(running, running.member("dora", "red", "developer"));
      running.member("paul", "red", "approver");
      TestDatabase quiet = cutOff(running.database);
      String sql =
          dump(quiet)
              .replace(place.toString(), "@PLACE@")
              .replace(running.data.toString(), "@DATA@")
              .replace(Path.of("..").toAbsolutePath().normalize().toString(), "@HOME@");
      Files.writeString(RESOURCES.resolve(args[0] + ".sql"), sql);
      Files.copy(running.data.resolve("secret.key"), RESOURCES.resolve(args[0] + ".key"));
      Runtime.getRuntime().halt(0); // a proper stop would wait for its steps and its database
    } catch (IOException | SQLException | RuntimeException | AssertionError e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Puts the providers of the fixture at a place of its own; answers the configuration. */
  static Path config(Path place) throws IOException {
    for (String provider : List.of("tools", "plain")) {
      Path from = RESOURCES.resolve(provider);
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path copy = place.resolve(provider).resolve(from.relativize(file));
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, Files.readString(file).replace("@PLACE@", place.toString()));
        }
      }
    }
    return Files.writeString(
        place.resolve("admin-config.yaml"),
        """
        providers:
          - {source: filesystem, path: %s}
          - {source: filesystem, path: %s}
        """
            .formatted(place.resolve("tools"), place.resolve("plain")));
  }

  private static void work(Running running, String dora) throws IOException, SQLException {
    try (Connection c = connect(running.database);
        Statement s = c.createStatement()) {
      s.execute(
          """
          CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN NEW.claimable_at := NEW.created_at + interval ''1 day''; RETURN NEW; END';
          CREATE TRIGGER later BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.workflow = 'quick')
            EXECUTE FUNCTION later();
          """);
    }
    running.as(dora).yaml("/api/specs", score("shop")).expect(201);
    awaitRow(running, "SELECT 1 FROM applications WHERE name = 'shop' AND state = 'active'");
    running.as(dora).yaml("/api/specs", score("cart")).expect(201);
    decisions(running, dora);
    for (String path : PATHS) {
      running.as(dora).post("/api/golden-paths/" + path + "/execute", "{}").expect(202);
    }
    running
        .as(dora)
        .post(
            "/api/golden-paths/failing/execute",
            "{\"parameters\":{\"api_token\":\"token-of-the-fixture\"}}")
        .expect(202);
    Map.of(
            "quick", "pending",
            "held", "running",
            "timer", "waiting",
            "backoff", "waiting",
            "asking", "waiting",
            "failing", "failed",
            "calling", "waiting",
            "called", "running",
            "create-box", "running")
        .forEach(
            (workflow, state) ->
                awaitRow(
                    running,
                    "SELECT 1 FROM runs WHERE workflow = '%s' AND state = '%s'"
                        .formatted(workflow, state)));
    awaitRow(running, "SELECT 1 FROM steps WHERE name = 'hold' AND state = 'running'");
    awaitRow(running, "SELECT 1 FROM steps WHERE name = 'first/undo-first' AND state = 'running'");
  }

  /** A plan that is kept, and one that waits for an approval. */
  private static void decisions(Running running, String dora) throws IOException {
    running.as(dora).yaml("/api/workflow-analysis", score("stall")).expect(200);
    running
        .asAdmin()
        .post("/api/environments", "{\"name\":\"prod\",\"protected\":true}")
        .expect(201);
    running.as(dora).yaml("/api/specs?environment=prod", score("till")).expect(201);
    awaitRow(running, "SELECT 1 FROM approvals WHERE kind = 'plan' AND state = 'pending'");
  }

  static String score(String name) throws IOException {
    return Files.readString(RESOURCES.resolve(name + ".yaml"));
  }

  private static void awaitRow(Running running, String sql) {
    Awaitility.await(sql)
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              try (Connection c = connect(running.database);
                  Statement s = c.createStatement();
                  ResultSet found = s.executeQuery(sql)) {
                return found.next();
              }
            });
  }

  /** From here on the server reaches nothing: its leases run out, its runs stay as they are. */
  private static TestDatabase cutOff(TestDatabase database) throws SQLException {
    String name = database.jdbcUrl().replaceAll("^.*/", "");
    TestDatabase quiet =
        new TestDatabase(
            database.jdbcUrl().replace(name, "quiet"), database.user(), database.password());
    TestDatabase other = TestPostgres.freshDatabase();
    try (Connection c = connect(other);
        Statement s = c.createStatement()) {
      s.execute("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS false");
      TestPostgres.cutConnections(database);
      s.execute("ALTER DATABASE " + name + " RENAME TO quiet");
      s.execute("ALTER DATABASE quiet WITH ALLOW_CONNECTIONS true");
    }
    try (Connection c = connect(quiet);
        Statement s = c.createStatement()) {
      s.execute("DROP TRIGGER later ON runs; DROP FUNCTION later()");
      s.execute("UPDATE runs SET claimable_at = created_at WHERE workflow = 'quick'");
    }
    return quiet;
  }

  private static String dump(TestDatabase database) throws SQLException {
    StringBuilder sql = new StringBuilder();
    try (Connection c = connect(database)) {
      for (String table :
          strings(
              c,
              // Rows of a partition are those of its table.
              "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind"
                  + " IN ('r', 'p') AND NOT relispartition ORDER BY 1")) {
        String columns =
            strings(
                    c,
                    "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)"
                        + " FROM information_schema.columns WHERE table_name = '"
                        + table
                        + "'")
                .getFirst();
        String values =
            "'INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE VALUES (' || concat_ws(', ', %s) || ');'"
                .formatted(
                    table,
                    columns,
                    "quote_nullable("
                        + columns.replace(", ", "::text), quote_nullable(")
                        + "::text)");
        for (String row : strings(c, "SELECT " + values + " FROM " + table + " ORDER BY 1")) {
          sql.append(row).append('\n');
        }
      }
    }
    return sql.toString();
  }

  static List<String> strings(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement s = connection.createStatement();
        ResultSet found = s.executeQuery(sql)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  static Connection connect(TestDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }
}
