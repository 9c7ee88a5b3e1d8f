package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An advisory lock on the schema: only one replica migrates, so an invalid index is a leftover and
 * not one that another replica is building.
 */
final class MigrationLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationLock.class);
  private static final long KEY = 0x51_1b_3a_11_5c_4e_3a_01L;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final Connection connection;

  private MigrationLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Polls for the lock instead of waiting in the database: a waiting statement holds a snapshot,
   * and a concurrent index build would wait for that snapshot.
   */
  static MigrationLock acquire(DataSource connections) throws SQLException, InterruptedException {
    Connection connection = connections.getConnection();
    try {
      for (int looks = 0; !tried(connection); looks++) {
        if (looks == 0) {
          LOG.info("another replica migrates the schema: waiting for it");
        }
        Thread.sleep(BETWEEN_LOOKS);
      }
      return new MigrationLock(connection);
    } catch (SQLException | InterruptedException e) {
      connection.close();
      throw e;
    }
  }

  private static boolean tried(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_try_advisory_lock(" + KEY + ")")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
