package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the schema while replicas work on it. A statement that waits for a lock makes all later
 * transactions on that table queue behind it, so each waits for two seconds only; then the
 * migration is rolled back and retried after a pause.
 */
public final class Migrations {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final Set<String> LOCKED = Set.of("55P03", "40P01");

  private final Database.Address address;
  private final Patience patience;
  private final PGSimpleDataSource connections = new PGSimpleDataSource();
  private final ScriptHistory trunk;
  private final List<ScriptHistory> histories;

  /**
   * How long a statement waits for a lock, how often a migration is tried, and the pauses between.
   */
  record Patience(Duration lock, int tries, Duration pause, Duration longestPause) {
    /** Longer than the statement of a replica can last, which is 55 s. */
    static final Patience USUAL =
        new Patience(Duration.ofSeconds(2), 9, Duration.ofSeconds(1), Duration.ofSeconds(10));

    Duration pauseAfter(int attempt) {
      Duration doubled = pause.multipliedBy(1L << Math.min(attempt - 1, 20));
      return doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
    }
  }

  /**
   * The state of a schema.
   *
   * @param applied the version of the trunk's tables, as {@code 4}; empty for a new database
   * @param known the version of them that this Slipway needs
   * @param pending scripts that lead there, as {@code 5 events}; those of a branch begin with its
   *     name
   * @param unfinished indexes whose concurrent build was interrupted; they are built again
   */
  public record State(
      Optional<String> applied, String known, List<String> pending, List<String> unfinished) {
    /** Whether no script is pending. */
    public boolean current() {
      return pending.isEmpty() && unfinished.isEmpty();
    }
  }

  /** Migrations of the trunk's tables, then of these branches' in this order. */
  public Migrations(Database.Address address, List<Scripts> branches) {
    this(address, Patience.USUAL, Scripts.TRUNK, branches);
  }

  Migrations(Database.Address address, Patience patience, Scripts ofTrunk, List<Scripts> branches) {
    this.address = address;
    this.patience = patience;
    connections.setUrl(address.jdbcUrl());
    connections.setUser(address.user());
    connections.setPassword(address.password());
    connections.setApplicationName("slipway-migrate");
    connections.setOptions("-c lock_timeout=" + patience.lock().toMillis());
    this.trunk = new ScriptHistory(connections, ofTrunk);
    this.histories = new ArrayList<>(List.of(trunk));
    branches.forEach(branch -> histories.add(new ScriptHistory(connections, branch)));
  }

  /** Reads the state. Throws for a server that is too old and for a schema that is too new. */
  public State state() {
    try (Connection connection = connections.getConnection()) {
      ServerVersion.of(connection).require(address);
      histories.forEach(history -> history.refuseNewer(address));
      return new State(
          trunk.applied().map(MigrationVersion::getVersion),
          trunk.newestKnown().getVersion(),
          pending().toList(),
          invalidIndexes(connection));
    } catch (SQLException | FlywayException e) {
      throw Unreachable.of(address, e);
    }
  }

  /** Applies pending scripts; returns the state before. Concurrent calls of other replicas wait. */
  public State apply() {
    State before = state();
    if (before.current()) {
      return before;
    }
    try (MigrationLock lock = MigrationLock.acquire(connections)) {
      for (int attempt = 1; !applied(attempt); attempt++) {
        Duration pause = patience.pauseAfter(attempt);
        LOG.warn(
            "a migration of {} could not get its lock within {} ms; trying again in {} ms",
            address,
            patience.lock().toMillis(),
            pause.toMillis());
        Thread.sleep(pause);
      }
    } catch (SQLException | FlywayException e) {
      throw Unreachable.of(address, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("the migration of " + address + " was interrupted", e);
    }
    return before;
  }

  /** For servers started with {@code --migrate never}: throws if a script is pending. */
  public void requireApplied() {
    State state = state();
    if (!state.current()) {
      throw new DatabaseException(
          "the database at %s has schema version %s, this Slipway needs %s, and it was started with --migrate never%s. Run 'slipway migrate' with the same --database, then start it again."
              .formatted(
                  address,
                  state.applied().orElse("0"),
                  state.known(),
                  state.pending().isEmpty()
                      ? ""
                      : "; to be applied: " + String.join(", ", state.pending())),
          null);
    }
  }

  /** Returns whether the attempt succeeded; false when a lock was not granted in time. */
  private boolean applied(int attempt) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      removeUnfinished(connection);
      histories.forEach(ScriptHistory::migrate);
      return true;
    } catch (SQLException | FlywayException e) {
      if (!locked(e)) {
        throw e;
      }
      if (attempt >= patience.tries()) {
        throw givenUp(e);
      }
      return false;
    }
  }

  private DatabaseException givenUp(Exception cause) throws SQLException {
    String oldest =
        """
        SELECT format(' The oldest transaction there: process %s (%s as %s), open for %s s.', pid,
                      coalesce(nullif(application_name, ''), 'unnamed'), usename,
                      extract(epoch FROM clock_timestamp() - xact_start)::int)
          FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
         ORDER BY xact_start LIMIT 1
        """;
    try (Connection connection = connections.getConnection()) {
      return new DatabaseException(
          "migration %s of %s could not get its lock within %d ms in %d attempts, and changed nothing: another session uses its table.%s End that session or wait for its end, then run 'slipway migrate'."
              .formatted(
                  pending().findFirst().map(m -> "'" + m + "'").orElse(""),
                  address,
                  patience.lock().toMillis(),
                  patience.tries(),
                  strings(connection, oldest).stream().findFirst().orElse("")),
          cause);
    }
  }

  /**
   * An interrupted concurrent build leaves an invalid index, which is maintained and never read,
   * and a history row of a failed migration. The script says IF NOT EXISTS, so both are removed
   * before it runs again.
   */
  private void removeUnfinished(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String index : invalidIndexes(connection)) {
        LOG.warn("the build of index {} was interrupted; building it again", index);
        statement.execute("DROP INDEX CONCURRENTLY IF EXISTS " + index);
      }
    }
    for (ScriptHistory history : histories) {
      history.forgetFailed(connection);
    }
  }

  private static List<String> invalidIndexes(Connection connection) throws SQLException {
    return strings(
        connection,
        """
        SELECT i.indexrelid::regclass::text
          FROM pg_index i
          JOIN pg_class c ON c.oid = i.indexrelid
         WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
         ORDER BY 1
        """);
  }

  private static List<String> strings(Connection connection, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        if (rows.getString(1) != null) {
          found.add(rows.getString(1));
        }
      }
    }
    return found;
  }

  private static boolean locked(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql
          && sql.getSQLState() != null
          && LOCKED.contains(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  private Stream<String> pending() {
    return histories.stream().flatMap(ScriptHistory::pending);
  }
}
