package dev.slipway.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestPostgresTest {
  @ParameterizedTest
  @EnumSource(names = {"V15", "V18"})
  void starts_a_real_server_of_that_version(PostgresVersion version) throws SQLException {
    TestDatabase database = TestPostgres.freshDatabase(version);
    assertThat(text(database, "SHOW server_version")).startsWith(version.major() + ".");
  }

  @Test
  void each_database_is_its_own() throws SQLException {
    TestDatabase one = TestPostgres.freshDatabase();
    try (Connection connection = connect(one);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT 'copied' AS x");
    }

    assertThat(text(TestPostgres.freshDatabase(), "SELECT to_regclass('t')")).isNull();
    assertThat(text(TestPostgres.copyOf(one), "SELECT x FROM t")).isEqualTo("copied");
  }

  private static Connection connect(TestDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static String text(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
