package dev.slipway.postgres.embedded;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Privileges that are set up before an embedded server is used; each statement can be repeated. */
record Privileges(Database.Address superuser) {
  /**
   * Revokes CONNECT from PUBLIC: PostgreSQL lets every role into {@code postgres} and {@code
   * template1}, where a role could take locks and connections.
   */
  void closeOwnDatabases() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("REVOKE CONNECT, TEMPORARY ON DATABASE postgres FROM PUBLIC");
      statement.execute("REVOKE CONNECT, TEMPORARY ON DATABASE template1 FROM PUBLIC");
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Creates the login of sql steps. It is no superuser: one could start programs as the user that
   * Slipway runs as ({@code COPY ... TO PROGRAM}) and read the files of the state database.
   */
  Database.Address administrator(String name, String password) {
    try (Connection connection = connect();
        PreparedStatement settings =
            connection.prepareStatement(
                "SELECT set_config('slipway.name', ?, false),"
                    + " set_config('slipway.password', ?, false)");
        Statement statement = connection.createStatement()) {
      settings.setString(1, name);
      settings.setString(2, password);
      settings.execute();
      statement.execute(
          """
          DO $$
          DECLARE
            name text := current_setting('slipway.name');
          BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
              EXECUTE format('CREATE ROLE %I', name);
            END IF;
            EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER CREATEDB CREATEROLE PASSWORD %L',
                           name, current_setting('slipway.password'));
            EXECUTE format('GRANT pg_use_reserved_connections TO %I', name);
            EXECUTE format('GRANT CONNECT ON DATABASE postgres TO %I', name);
          END $$""");
    } catch (SQLException e) {
      throw failed(e);
    }
    return new Database.Address(superuser.jdbcUrl(), name, password);
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(superuser.jdbcUrl(), superuser.user(), superuser.password());
  }

  private DatabaseException failed(SQLException e) {
    return new DatabaseException(
        "rights in the PostgreSQL at %s cannot be set: %s"
            .formatted(superuser.jdbcUrl(), e.getMessage()),
        e);
  }
}
