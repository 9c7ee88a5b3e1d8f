package dev.slipway.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/** The one database: a pool of connections to it, its schema brought up to date. */
public final class Database implements AutoCloseable {
  /**
   * Of every connection. Whoever freezes in the middle of a transaction holds locks that others
   * need: its transaction is ended for it, soon enough for those who wait to keep their leases.
   */
  public static final String OPTIONS =
      "-c timezone=UTC -c statement_timeout=55s -c idle_in_transaction_session_timeout=4s";

  private static final int WRONG_PASSWORD_CLASS = 28;

  private final HikariDataSource pool;
  private final Address address;
  private final Jdbi jdbi;
  private final List<Consumer<Set<String>>> receivers = new CopyOnWriteArrayList<>();

  private Database(HikariDataSource pool, Address address) {
    this.pool = pool;
    this.address = address;
    this.jdbi = Jdbi.create(pool).installPlugin(new PostgresPlugin());
    jdbi.setTransactionHandler(CommitTail.transactions(this::announce));
  }

  /** Where a database is and who asks. */
  public record Address(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return jdbcUrl.replaceAll("\\?.*$", "") + " as " + user;
    }
  }

  /**
   * Connects and migrates. A database that is away, refuses the login or was written by a newer
   * Slipway is a {@link DatabaseException} that says so.
   */
  public static Database open(Address address, int connections) {
    HikariDataSource pool = pool(address, connections);
    try {
      migrate(address);
      return new Database(pool, address);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** SQL through Jdbi. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** Connections for those who speak JDBC. */
  public DataSource dataSource() {
    return pool;
  }

  /** Where it is; for a connection of one's own, as listening needs. */
  public Address address() {
    return address;
  }

  /**
   * Hands the announcements of each committed transaction to the receiver, on the thread that
   * committed. Running the answer ends it.
   */
  public Runnable onAnnouncements(Consumer<Set<String>> receiver) {
    receivers.add(receiver);
    return () -> receivers.remove(receiver);
  }

  private void announce(Set<String> messages) {
    receivers.forEach(receiver -> receiver.accept(messages));
  }

  @Override
  public void close() {
    pool.close();
  }

  private static HikariDataSource pool(Address address, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("slipway");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(Math.min(2, connections));
    config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
    config.setInitializationFailTimeout(-1);
    config.setMaxLifetime(Duration.ofMinutes(30).toMillis());
    config.setKeepaliveTime(Duration.ofMinutes(1).toMillis());
    config.addDataSourceProperty("ApplicationName", "slipway");
    config.addDataSourceProperty("connectTimeout", "5");
    config.addDataSourceProperty("socketTimeout", "60");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("logServerErrorDetail", "false"); // it quotes rows
    config.addDataSourceProperty("options", OPTIONS);
    return new HikariDataSource(config);
  }

  /** On connections of its own: a migration may take longer than the pool lets a statement. */
  private static void migrate(Address address) {
    Flyway flyway =
        Flyway.configure()
            .dataSource(address.jdbcUrl(), address.user(), address.password())
            .locations("classpath:db/migration")
            .load();
    // A lock of the session: no index is built concurrently beside an open transaction.
    flyway
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    try {
      requireVersion(flyway, address);
      refuseNewer(flyway, address);
      flyway.migrate();
    } catch (FlywayException e) {
      throw unreachable(address, e);
    }
  }

  private static void requireVersion(Flyway flyway, Address address) {
    try (Connection connection = flyway.getConfiguration().getDataSource().getConnection()) {
      ServerVersion.of(connection).require(address);
    } catch (SQLException e) {
      throw new FlywayException(e.getMessage(), e);
    }
  }

  private static void refuseNewer(Flyway flyway, Address address) {
    Optional<MigrationVersion> applied =
        Optional.ofNullable(flyway.info().current()).map(MigrationInfo::getVersion);
    MigrationVersion known = newestKnown(flyway);
    if (applied.isPresent() && applied.get().compareTo(known) > 0) {
      throw new DatabaseException(
          "the database at %s has schema version %s, which is newer than the %s that this Slipway knows. Start the newer Slipway, or restore a backup made before the upgrade."
              .formatted(address, applied.get(), known),
          null);
    }
  }

  private static MigrationVersion newestKnown(Flyway flyway) {
    MigrationVersion newest = MigrationVersion.EMPTY;
    for (MigrationInfo info : flyway.info().all()) {
      if (info.getState().isResolved() && info.getVersion().compareTo(newest) > 0) {
        newest = info.getVersion();
      }
    }
    return newest;
  }

  /** What the driver says: the pool above it only knows that time has passed. */
  private static String deepest(SQLException failure) {
    String message = "" + failure.getMessage();
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      if (t instanceof SQLException && t.getMessage() != null) {
        message = t.getMessage();
      }
    }
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  private static DatabaseException unreachable(Address address, RuntimeException cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().startsWith("" + WRONG_PASSWORD_CLASS)) {
        return new DatabaseException(
            "the database at %s refuses the login: %s. Check user and password."
                .formatted(address, sql.getMessage()),
            cause);
      }
      if (t instanceof SQLException sql && Faults.connectionLost(sql)) {
        return new DatabaseException(
            "cannot reach the database at %s: %s. Check that it runs and that the address is right."
                .formatted(address, deepest(sql)),
            cause);
      }
    }
    return new DatabaseException(
        "cannot bring the schema of %s up to date: %s".formatted(address, cause.getMessage()),
        cause);
  }
}
