package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema of a database up to date, beside replicas that work on it. A statement that has
 * to wait for a lock makes all later transactions on that table wait behind it, so each one waits
 * for two seconds only; the migration is rolled back and tried again after a pause.
 */
public final class Migrations {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final String SCRIPTS = "classpath:db/migration";
  private static final Set<String> LOCKED = Set.of("55P03", "40P01");

  private final Database.Address address;
  private final Patience patience;
  private final PGSimpleDataSource connections = new PGSimpleDataSource();
  private final Flyway flyway;

  /** How long a statement waits for a lock, how often a migration is tried, after which pause. */
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
   * Where a schema stands.
   *
   * @param applied its version, as {@code 4}; empty for a new database
   * @param known the version that this Slipway needs
   * @param pending scripts that lead there, as {@code 5 events}
   * @param unfinished indexes whose concurrent build was interrupted; they are built again
   */
  public record State(
      Optional<String> applied, String known, List<String> pending, List<String> unfinished) {
    /** Whether there is nothing to do. */
    public boolean current() {
      return pending.isEmpty() && unfinished.isEmpty();
    }
  }

  public Migrations(Database.Address address) {
    this(address, Patience.USUAL, List.of(SCRIPTS));
  }

  Migrations(Database.Address address, Patience patience, List<String> scripts) {
    this.address = address;
    this.patience = patience;
    connections.setUrl(address.jdbcUrl());
    connections.setUser(address.user());
    connections.setPassword(address.password());
    connections.setApplicationName("slipway-migrate");
    connections.setOptions("-c lock_timeout=" + patience.lock().toMillis());
    this.flyway =
        Flyway.configure().dataSource(connections).locations(scripts.toArray(String[]::new)).load();
    // A lock of the session: no index is built concurrently beside an open transaction.
    flyway
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
  }

  /** What there is to do. Throws for a server that is too old and for a schema that is too new. */
  public State state() {
    try (Connection connection = connections.getConnection()) {
      ServerVersion.of(connection).require(address);
      refuseNewer();
      return new State(
          applied().map(MigrationVersion::getVersion),
          newestKnown().getVersion(),
          pending().map(Migrations::text).toList(),
          invalidIndexes(connection));
    } catch (SQLException | FlywayException e) {
      throw Unreachable.of(address, e);
    }
  }

  /** Does it; answers what there was to do. Replicas that want to at the same time wait. */
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

  /** For servers that do not migrate. */
  public void requireApplied() {
    State state = state();
    if (!state.current()) {
      throw new DatabaseException(
          "the database at %s has schema version %s, this Slipway needs %s, and it was started with --migrate never. Run 'slipway migrate' with the same --database, then start it again."
              .formatted(address, state.applied().orElse("0"), state.known()),
          null);
    }
  }

  /** Whether it is done; not yet when a lock could not be had. */
  private boolean applied(int attempt) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      removeUnfinished(connection);
      flyway.migrate();
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
                  pending().findFirst().map(m -> "'" + text(m) + "'").orElse(""),
                  address,
                  patience.lock().toMillis(),
                  patience.tries(),
                  strings(connection, oldest).stream().findFirst().orElse("")),
          cause);
    }
  }

  /**
   * An interrupted concurrent build leaves an index that is maintained and never read, and a row of
   * a failed migration. The script says IF NOT EXISTS, so both have to go before it runs again.
   */
  private static void removeUnfinished(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String index : invalidIndexes(connection)) {
        LOG.warn("the build of index {} was interrupted; building it again", index);
        statement.execute("DROP INDEX CONCURRENTLY IF EXISTS " + index);
      }
      if (!strings(connection, "SELECT to_regclass('flyway_schema_history')").isEmpty()) {
        statement.execute("DELETE FROM flyway_schema_history WHERE NOT success");
      }
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

  private void refuseNewer() {
    MigrationVersion known = newestKnown();
    Optional<MigrationVersion> applied = applied();
    if (applied.isPresent() && applied.get().compareTo(known) > 0) {
      throw new DatabaseException(
          "the database at %s has schema version %s, which is newer than the %s that this Slipway knows. Start the newer Slipway, or restore a backup made before the upgrade."
              .formatted(address, applied.get(), known),
          null);
    }
  }

  /** One whose script failed outside a transaction is to be done, too. */
  private Stream<MigrationInfo> pending() {
    return Arrays.stream(flyway.info().all())
        .filter(m -> m.getState() == MigrationState.PENDING || m.getState().isFailed());
  }

  private Optional<MigrationVersion> applied() {
    return Optional.ofNullable(flyway.info().current()).map(MigrationInfo::getVersion);
  }

  private MigrationVersion newestKnown() {
    MigrationVersion newest = MigrationVersion.EMPTY;
    for (MigrationInfo info : flyway.info().all()) {
      if (info.getState().isResolved() && info.getVersion().compareTo(newest) > 0) {
        newest = info.getVersion();
      }
    }
    return newest;
  }

  private static String text(MigrationInfo info) {
    return info.getVersion() + " " + info.getDescription();
  }
}
