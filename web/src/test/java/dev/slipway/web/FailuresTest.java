package dev.slipway.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03", "57014", "53300", "25P03"})
  void a_database_that_answers_but_cannot_do_it_now_is_busy_and_not_away(String state) {
    Problem busy = problem(state);
    assertThat(busy.status()).isEqualTo(503);
    assertThat(busy.kind()).isEqualTo("database-busy");
    assertThat(busy.detail()).contains("nothing was changed", "Repeat the call");
    assertThat(busy.headers()).containsKey("Retry-After");
  }

  @Test
  void a_pool_without_a_free_connection_is_busy_and_one_that_cannot_connect_is_away() {
    SQLException waited = new SQLTransientConnectionException("request timed out after 5000ms");
    SQLException refused =
        new SQLTransientConnectionException("request timed out", new SQLException("no", "08001"));
    assertThat(Failures.problem(new IllegalStateException(waited), "/api/x").kind())
        .isEqualTo("database-busy");
    assertThat(Failures.problem(new IllegalStateException(refused), "/api/x").kind())
        .isEqualTo("database-away");
  }

  @Test
  void a_lost_connection_is_a_database_that_is_away() {
    assertThat(problem("08006").title()).isEqualTo("The database cannot be reached");
  }
}
