package dev.slipway.postgres.runs;

import dev.slipway.postgres.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A connection that one thread keeps for itself, made anew when it is lost. */
final class OwnConnection implements AutoCloseable {
  private final String jdbcUrl;
  private final Properties properties = new Properties();
  private volatile @Nullable Connection connection;

  OwnConnection(Database.Address address, String name, String options) {
    this.jdbcUrl = address.jdbcUrl();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "60");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("logServerErrorDetail", "false");
    properties.setProperty("options", Database.OPTIONS + " " + options);
  }

  /** The connection, in a transaction. */
  Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = DriverManager.getConnection(jdbcUrl, properties);
      open.setAutoCommit(false);
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
