package dev.slipway.postgres.runs;

import dev.slipway.postgres.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A connection that one thread keeps for itself, made anew when it is lost. */
final class OwnConnection implements AutoCloseable {
  private final String jdbcUrl;
  private final Properties properties = new Properties();
  private final Work work;
  private volatile @Nullable Connection connection;

  /** How statements become lasting. */
  enum Work {
    /** When the one who uses it says so. */
    IN_TRANSACTIONS,
    /** Each by itself: nobody can freeze between the statement and its commit. */
    ONE_BY_ONE
  }

  /**
   * One whose answers may take that long.
   *
   * @param options of the session, as PostgreSQL takes them
   */
  OwnConnection(
      Database.Address address, String name, String options, Work work, Duration longest) {
    this.work = work;
    this.jdbcUrl = address.jdbcUrl();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", String.valueOf(longest.toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("logServerErrorDetail", "false");
    properties.setProperty("options", Database.OPTIONS + " " + options);
  }

  /** Whether it has been used; it may have died since then. */
  boolean used() {
    return connection != null;
  }

  /** The connection. */
  Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = DriverManager.getConnection(jdbcUrl, properties);
      open.setAutoCommit(work == Work.ONE_BY_ONE);
      connection = open;
    }
    return open;
  }

  /** Ends the transaction without a trace; a connection that cannot do that is given up. */
  void abort(Exception cause) {
    Connection open = connection;
    if (open == null) {
      return;
    }
    try {
      open.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
      close();
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It is gone either way.
      }
    }
  }
}
