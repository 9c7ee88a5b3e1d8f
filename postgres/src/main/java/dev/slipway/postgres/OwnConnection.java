package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A connection outside the pool that one thread uses, reopened when it is lost. */
public final class OwnConnection implements AutoCloseable {
  private final String jdbcUrl;
  private final Properties properties = new Properties();
  private final Work work;
  private volatile @Nullable Connection connection;

  /** When statements are committed. */
  public enum Work {
    /** When the caller commits. */
    IN_TRANSACTIONS,
    /** Autocommit: no replica can freeze between a statement and its commit. */
    ONE_BY_ONE
  }

  /**
   * Opens a connection with that read timeout.
   *
   * @param options of the session, as PostgreSQL takes them
   */
  public OwnConnection(
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

  /** Whether it was opened; it may have died since. */
  public boolean used() {
    return connection != null;
  }

  /** The connection. */
  public Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = DriverManager.getConnection(jdbcUrl, properties);
      open.setAutoCommit(work == Work.ONE_BY_ONE);
      connection = open;
    }
    return open;
  }

  /** Rolls the transaction back; a connection that cannot roll back is closed. */
  public void abort(Exception cause) {
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
        // The connection is lost either way.
      }
    }
  }
}
