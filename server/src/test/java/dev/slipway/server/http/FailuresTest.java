package dev.slipway.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static Problem problem(String sqlState) {
    return Failures.problem(
        new IllegalStateException(new SQLException("could not extend file", sqlState)), "/api/x");
  }

  @Test
  void a_full_disk_is_called_that_and_not_a_database_that_is_away() {
    Problem full = problem("53100");
    assertThat(full.status()).isEqualTo(503);
    assertThat(full.title()).isEqualTo("The database's disk is full");
    assertThat(full.detail()).contains("Nothing was changed", "Make room");
    assertThat(full.headers()).containsKey("Retry-After");
  }

  @Test
  void a_lost_connection_is_a_database_that_is_away() {
    assertThat(problem("08006").title()).isEqualTo("The database cannot be reached");
  }
}
