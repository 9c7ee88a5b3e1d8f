package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The major version of a PostgreSQL server, and the version as the server writes it. */
record ServerVersion(int major, String text) {
  /** The oldest version that executes all statements of Slipway; tests run on it. */
  static final int OLDEST = 15;

  private static final int PER_MAJOR = 10_000;

  static ServerVersion of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('server_version_num')::int,"
                    + " current_setting('server_version')")) {
      row.next();
      return new ServerVersion(row.getInt(1) / PER_MAJOR, row.getString(2));
    }
  }

  /** Throws if the server is older than {@link #OLDEST}. */
  void require(Database.Address address) {
    if (major < OLDEST) {
      throw new DatabaseException(
          "the database at %s is PostgreSQL %s, and Slipway needs %d or newer. Upgrade that server, or point --database at a newer one."
              .formatted(address, text, OLDEST),
          null);
    }
  }
}
