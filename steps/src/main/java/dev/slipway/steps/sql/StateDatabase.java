package dev.slipway.steps.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The database of Slipway's own state, identified by the identifier of its PostgreSQL cluster, so
 * that every address of it is recognised. A step that could write to it could grant itself any
 * right.
 *
 * @param cluster {@code system_identifier} of the cluster
 * @param database its name there
 */
public record StateDatabase(String cluster, String database) {
  /** Queries the identity of a connection; the first two columns identify a database. */
  public static final String IDENTITY =
      "SELECT system_identifier::text, current_database()::text,"
          + " (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)"
          + " FROM pg_control_system()";

  private static final String UNDEFINED_FUNCTION = "42883";

  /** Why a step may not use this connection. */
  Optional<String> refusal(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IDENTITY)) {
      row.next();
      if (!cluster.equals(row.getString(1))) {
        return Optional.empty();
      }
      if (database.equals(row.getString(2))) {
        return Optional.of("leads to the database that keeps Slipway's own state");
      }
      return row.getBoolean(3)
          ? Optional.of(
              "logs in as a superuser of the PostgreSQL server that keeps Slipway's own state")
          : Optional.empty();
    } catch (SQLException e) {
      if (UNDEFINED_FUNCTION.equals(e.getSQLState())) {
        return Optional
            .empty(); // another server than PostgreSQL, so it cannot be the state's cluster
      }
      throw e;
    }
  }
}
