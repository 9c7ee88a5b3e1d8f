package dev.slipway.server;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Everything of team blue and everything beside it, as names and digests: files byte for byte,
 * databases and roles of the server that providers use, rows of the engine, what the API shows.
 */
final class Watched {
  /** Rows of the engine that are team blue's. Times of looks and counters of clocks are not. */
  private static final Map<String, String> ROWS =
      Map.of(
          "applications",
          "SELECT to_jsonb(t)::text FROM applications t WHERE team = 'blue'",
          "resources",
          "SELECT to_jsonb(t)::text FROM resources t WHERE team = 'blue'",
          "uses",
          "SELECT to_jsonb(t)::text FROM resource_users t JOIN resources r"
              + " ON r.id = t.resource_id WHERE r.team = 'blue'",
          "states of modules",
          "SELECT w.key || ' ' || coalesce(md5(s.state), '') FROM module_workspaces w"
              + " LEFT JOIN module_states s ON s.workspace = w.key AND s.version = w.version",
          "runs",
          "SELECT to_jsonb(t)::text FROM runs t WHERE team = 'blue'"
              + " AND cause IS DISTINCT FROM 'observation'",
          "revisions",
          "SELECT to_jsonb(t)::text FROM revisions t JOIN applications a"
              + " ON a.id = t.application_id WHERE a.team = 'blue'",
          "transitions",
          "SELECT to_jsonb(t)::text FROM resource_transitions t JOIN resources r"
              + " ON r.id = t.resource_id WHERE r.team = 'blue'");

  private final Running running;
  private final TestDatabase target;
  private final String blue;

  Watched(Running running, TestDatabase target, String blue) {
    this.running = running;
    this.target = target;
    this.blue = blue;
  }

  /** By name, in order. */
  Map<String, String> snapshot() {
    Map<String, String> all = new TreeMap<>();
    files(all);
    query(
        target,
        "roles and databases",
        "SELECT 'role ' || rolname || ' ' || coalesce(rolpassword, '') || ' ' || rolconnlimit"
            + " || ' ' || rolsuper || coalesce(shobj_description(oid, 'pg_authid'), '')"
            + " FROM pg_authid UNION ALL SELECT 'database ' || datname || ' ' || datdba"
            + " || coalesce(datacl::text, '') FROM pg_database",
        all);
    ROWS.forEach((name, sql) -> query(running.database, name, sql, all));
    shown(all);
    return all;
  }

  private void files(Map<String, String> all) {
    Path data = running.data;
    try (Stream<Path> found = Files.walk(data.getParent())) {
      found
          .filter(path -> !ofServer(data, path))
          .forEach(path -> all.put("file " + data.getParent().relativize(path), digest(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the server itself writes while it works. */
  private static boolean ofServer(Path data, Path path) {
    return path.startsWith(data)
        && Stream.of("providers", "workspaces", "work")
            .noneMatch(shared -> path.startsWith(data.resolve(shared)))
        && !path.equals(data);
  }

  private static String digest(Path path) {
    try {
      if (Files.isSymbolicLink(path)) {
        return "link to " + Files.readSymbolicLink(path);
      }
      String rights = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).toString();
      return Files.isDirectory(path)
          ? "directory " + rights
          : sha(Files.readAllBytes(path)) + rights;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void query(
      TestDatabase database, String name, String sql, Map<String, String> all) {
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql + " ORDER BY 1")) {
      while (rows.next()) {
        all.put(name + ": " + rows.getString(1), "");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** State, health and outputs as team blue sees them, secrets too. */
  private void shown(Map<String, String> all) {
    var shown = running.as(blue).get("/api/applications/bluefarm").expect(200).json();
    all.put("application", String.valueOf(shown.get("state")));
    for (Object each : (List<?>) shown.get("resources")) {
      Map<String, Object> resource = Values.map(each);
      all.put("resource " + resource.get("name"), resource.toString());
      all.put(
          "outputs " + resource.get("name"),
          running
              .as(blue)
              .get("/api/resources/" + resource.get("id") + "/outputs?reveal=true")
              .expect(200)
              .json()
              .toString());
    }
  }

  /** The rows that team blue's application keeps in its own database, read with its own login. */
  static String rows(Map<String, Object> login) {
    try (Connection connection = connect(login);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT string_agg(id || ' ' || word, ',' ORDER BY id) FROM keep")) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      return "cannot be read: " + e.getMessage();
    }
  }

  static Connection connect(Map<String, Object> login) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%s/%s"
            .formatted(login.get("host"), login.get("port"), login.get("database")),
        String.valueOf(login.get("username")),
        String.valueOf(login.get("password")));
  }
}
