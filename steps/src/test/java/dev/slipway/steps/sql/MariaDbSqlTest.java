package dev.slipway.steps.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestMariaDb;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbSqlTest {
  private static final TestDatabase DATABASE = TestMariaDb.freshDatabase();
  private final Lines log = new Lines();
  private final SqlExecutor executor = executor(DATABASE.jdbcUrl());

  private static SqlExecutor executor(String url) {
    SqlConnections.Target target =
        new SqlConnections.Target(url, DATABASE.user(), DATABASE.password());
    return new SqlExecutor(
        () -> new SqlConnections(Map.of("maria", target), Optional.empty()),
        InstantSource.system());
  }

  private static RenderedSql sql(String text, Object... values) {
    return new RenderedSql(text, List.of(values));
  }

  private Result run(Map<String, Object> config) throws InterruptedException {
    return executor.execute(Calls.of("sql", config, log));
  }

  private Result statements(RenderedSql... statements) throws InterruptedException {
    return run(Map.of("connection", "maria", "statements", List.of(statements)));
  }

  private Map<?, ?> first(String text, Object... values) throws InterruptedException {
    Result result = run(Map.of("connection", "maria", "query", sql(text, values)));
    assertThat(result).isInstanceOf(Result.Succeeded.class);
    return (Map<?, ?>) ((Result.Succeeded) result).outputs().get("first");
  }

  private static StepError error(Result result) {
    return ((Result.Failed) result).error();
  }

  private static Connection connection() throws SQLException {
    return DriverManager.getConnection(DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password());
  }

  private static void execute(String text) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  @Test
  void every_type_keeps_its_value() throws Exception {
    execute(
        "CREATE TABLE kinds (flag boolean, big bigint, bigger bigint unsigned, exact"
            + " decimal(30,10), price decimal(10,2), day date, moment datetime(3), span time, y"
            + " year, bytes varbinary(9), doc json, ratio float, note text, none int)");
    execute(
        "INSERT INTO kinds VALUES (true, 9007199254740993, 18446744073709551615,"
            + " 12345678901234567890.0123456789, 19.90, '2026-01-31', '2026-01-31 12:00:00.5',"
            + " '100:30:00', 2026, x'00ff', '{\"k\": [1, null]}', 1.1, 'ü', null)");

    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("flag", true);
    expected.put("big", 9007199254740993L);
    expected.put("bigger", new BigInteger("18446744073709551615"));
    expected.put("exact", "12345678901234567890.0123456789");
    expected.put("price", 19.9);
    expected.put("day", "2026-01-31");
    expected.put("moment", "2026-01-31T12:00:00.5");
    expected.put("span", "100:30:00");
    expected.put("y", 2026L);
    expected.put("bytes", "AP8=");
    expected.put("doc", Map.of("k", java.util.Arrays.asList(1L, null)));
    expected.put("ratio", 1.1);
    expected.put("note", "ü");
    expected.put("none", null);
    assertThat(first("SELECT * FROM kinds")).isEqualTo(expected);
  }

  @Test
  void names_are_quoted_with_backticks() throws Exception {
    String name = "od`d\"name";
    String quoted = "\"od`d\"\"name\"";
    String prefix = "CREATE TABLE ";
    RenderedSql create =
        new RenderedSql(
            prefix + quoted + " (i int)",
            List.of(),
            List.of(
                new RenderedSql.Quoted(
                    prefix.length(),
                    prefix.length() + quoted.length(),
                    name,
                    RenderedSql.Form.IDENTIFIER)));

    assertThat(statements(create)).isInstanceOf(Result.Succeeded.class);
    assertThat(
            first(
                "SELECT count(*) AS n FROM information_schema.tables WHERE table_name = ? AND"
                    + " table_schema = database()",
                name))
        .isEqualTo(Map.of("n", 1L));
  }

  @Test
  void a_value_is_data_whatever_it_says() throws Exception {
    String hostile = "\\'); DROP TABLE x; -- \" ` \n";
    assertThat(first("SELECT ? AS v", hostile)).isEqualTo(Map.of("v", hostile));
    assertThat(first("SELECT ? AS v", new BigInteger("18446744073709551615")))
        .isEqualTo(Map.of("v", new BigInteger("18446744073709551615")));
  }

  @Test
  void an_error_in_mid_transaction_undoes_everything_before_it() throws Exception {
    execute("CREATE TABLE accounts (name varchar(20) PRIMARY KEY)");

    StepError error =
        error(
            statements(
                sql("INSERT INTO accounts VALUES ('ann')"),
                sql("INSERT INTO accounts VALUES ('ann')")));

    assertThat(error.message())
        .startsWith("statement 2 of 2: ")
        .contains("Duplicate entry", "SQLSTATE 23000");
    assertThat(error.hint()).startsWith("Nothing was kept.");
    assertThat(first("SELECT count(*) AS n FROM accounts")).isEqualTo(Map.of("n", 0L));
  }

  @Test
  void what_a_definition_has_committed_is_said_to_be_kept() throws Exception {
    StepError error =
        error(
            statements(
                sql("/* as ever */ create TABLE half (i int)"),
                sql("INSERT INTO half VALUES (1)"),
                sql("INSERT INTO half VALUES ('x')")));

    assertThat(error.message()).startsWith("statement 3 of 3: ").endsWith("; statement 1 is kept");
    assertThat(error.hint()).contains("MariaDB and MySQL commit at every CREATE");
    assertThat(first("SELECT count(*) AS n FROM half")).isEqualTo(Map.of("n", 0L));
  }

  @Test
  void a_definition_that_fails_has_committed_what_came_before() throws Exception {
    execute("CREATE TABLE ledger (i int)");

    StepError error =
        error(
            statements(
                sql("INSERT INTO ledger VALUES (1)"),
                sql("INSERT INTO ledger VALUES (2)"),
                sql("CREATE TABLE ledger (i int)")));

    assertThat(error.message()).endsWith("; statements 1 to 2 are kept");
    assertThat(first("SELECT count(*) AS n FROM ledger")).isEqualTo(Map.of("n", 2L));
  }

  @Test
  void a_definition_with_a_mistake_in_its_syntax_commits_nothing() throws Exception {
    execute("CREATE TABLE notebook (i int)");

    StepError error =
        error(statements(sql("INSERT INTO notebook VALUES (1)"), sql("CREATE TABEL x (i int)")));

    assertThat(error.hint()).startsWith("Nothing was kept.");
    assertThat(first("SELECT count(*) AS n FROM notebook")).isEqualTo(Map.of("n", 0L));
  }

  @Test
  void a_temporary_table_commits_nothing() throws Exception {
    execute("CREATE TABLE diary (i int)");

    StepError error =
        error(
            statements(
                sql("INSERT INTO diary VALUES (1)"),
                sql("CREATE TEMPORARY TABLE scratch (i int)"),
                sql("INSERT INTO diary VALUES ('x')")));

    assertThat(error.hint()).startsWith("Nothing was kept.");
    assertThat(first("SELECT count(*) AS n FROM diary")).isEqualTo(Map.of("n", 0L));
  }

  @Test
  void an_error_number_can_be_ignored() throws Exception {
    Map<String, Object> config =
        Map.of(
            "connection",
            "maria",
            "transaction",
            false,
            "ignore",
            List.of(1007L),
            "statements",
            List.of(sql("CREATE DATABASE twice")));
    assertThat(run(config)).isInstanceOf(Result.Succeeded.class);
    assertThat(run(config)).isInstanceOf(Result.Succeeded.class);
  }

  @Test
  void changed_rows_are_counted_and_at_most_a_thousand_are_read() throws Exception {
    execute("CREATE TABLE many (i int)");
    Result filled = statements(sql("INSERT INTO many SELECT seq FROM seq_1_to_1500"));
    Result read = run(Map.of("connection", "maria", "query", sql("SELECT i FROM many")));

    assertThat(((Result.Succeeded) filled).outputs()).containsEntry("row_count", 1500L);
    assertThat(((Result.Succeeded) read).outputs()).containsEntry("row_count", 1000L);
  }

  @Test
  void rows_that_no_output_could_hold_are_refused() throws Exception {
    Result result =
        run(
            Map.of(
                "connection",
                "maria",
                "query",
                sql("SELECT repeat('x', 1000000) AS x FROM seq_1_to_50")));
    assertThat(error(result).message()).contains("larger than 4 MiB");
  }

  @Test
  void a_lock_that_is_not_given_in_time_passes() throws Exception {
    execute("CREATE TABLE held (i int PRIMARY KEY) ENGINE=InnoDB");
    execute("INSERT INTO held VALUES (1)");
    try (Connection other = connection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE held SET i = 2");

      StepError error = error(statements(sql("UPDATE held SET i = 3")));

      assertThat(error.message()).contains("Lock wait timeout exceeded");
      assertThat(error.kind()).isEqualTo(StepError.Kind.TRANSIENT);
    }
  }

  @Test
  void a_deadlock_passes() throws Exception {
    execute("CREATE TABLE pair (i int PRIMARY KEY, n int) ENGINE=InnoDB");
    execute("INSERT INTO pair VALUES (1, 0), (2, 0)");
    try (Connection other = connection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      // This transaction changed more rows, so the server chooses the step as the deadlock's
      // victim.
      statement.execute("UPDATE pair SET n = 1 WHERE i = 2");
      statement.execute("INSERT INTO pair SELECT seq, 0 FROM seq_10_to_100");
      AtomicReference<Result> outcome = new AtomicReference<>();
      Thread step =
          Thread.startVirtualThread(
              () -> {
                try {
                  outcome.set(
                      statements(
                          sql("UPDATE pair SET n = 2 WHERE i = 1"),
                          sql("UPDATE pair SET n = 2 WHERE i = 2")));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      await().until(() -> running("UPDATE pair SET n = 2 WHERE i = 2") == 1);
      statement.execute("UPDATE pair SET n = 1 WHERE i = 1");
      step.join();

      assertThat(error(outcome.get()).message()).contains("Deadlock found", "SQLSTATE 40001");
      assertThat(error(outcome.get()).kind()).isEqualTo(StepError.Kind.TRANSIENT);
    }
  }

  @Test
  void a_connection_that_is_killed_passes() throws Exception {
    AtomicReference<Result> outcome = new AtomicReference<>();
    Thread step =
        Thread.startVirtualThread(
            () -> {
              try {
                outcome.set(statements(sql("DO SLEEP(61)")));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    await().until(() -> running("DO SLEEP(61)") == 1);
    execute(
        "BEGIN NOT ATOMIC FOR p IN (SELECT id FROM information_schema.processlist WHERE info = 'DO"
            + " SLEEP(61)') DO KILL CONNECTION p.id; END FOR; END");
    step.join();

    assertThat(error(outcome.get()).kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void a_server_that_is_not_there_may_come_back_and_a_wrong_password_may_not() throws Exception {
    Map<String, Object> config = Map.of("connection", "maria", "query", sql("SELECT 1"));
    StepError away =
        error(executor("jdbc:mariadb://127.0.0.1:1/x").execute(Calls.of("sql", config, log)));
    SqlConnections.Target wrong =
        new SqlConnections.Target(DATABASE.jdbcUrl(), DATABASE.user(), "wrong");
    StepError refused =
        error(
            new SqlExecutor(
                    () -> new SqlConnections(Map.of("maria", wrong), Optional.empty()),
                    InstantSource.system())
                .execute(Calls.of("sql", config, log)));

    assertThat(away.kind()).isEqualTo(StepError.Kind.TRANSIENT);
    assertThat(refused.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(refused.message()).contains("Access denied").doesNotContain("wrong");
  }

  @Test
  void a_slow_statement_is_killed_at_the_deadline() throws Exception {
    Map<String, Object> config = Map.of("connection", "maria", "query", sql("SELECT SLEEP(62)"));
    Result result =
        executor.execute(Calls.of(Calls.step("sql", config), config, log, Duration.ofMillis(500)));

    assertThat(error(result).code()).isEqualTo("timeout");
    await().until(() -> running("SELECT SLEEP(62)") == 0);
  }

  @Test
  void an_interrupt_kills_the_statement() throws Exception {
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                outcome.set(run(Map.of("connection", "maria", "query", sql("SELECT SLEEP(63)"))));
              } catch (InterruptedException e) {
                outcome.set("interrupted");
              }
            });
    await().until(() -> running("SELECT SLEEP(63)") == 1);
    thread.interrupt();
    thread.join();

    assertThat(outcome.get()).isEqualTo("interrupted");
    await().until(() -> running("SELECT SLEEP(63)") == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&allowLocalInfile=true&allowMultiQueries=true"})
  void neither_files_of_this_machine_nor_a_second_statement_get_through(String options)
      throws Exception {
    execute("CREATE TABLE IF NOT EXISTS leak (line text)");
    SqlExecutor daring = executor(DATABASE.jdbcUrl() + options);
    for (String text :
        List.of("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE leak", "SELECT 1; SELECT 2")) {
      Result result =
          daring.execute(Calls.of("sql", Map.of("connection", "maria", "query", sql(text)), log));
      assertThat(result).as(text).isInstanceOf(Result.Failed.class);
    }
    assertThat(first("SELECT count(*) AS n FROM leak")).isEqualTo(Map.of("n", 0L));
  }

  @Test
  void an_address_for_mysql_is_understood_and_another_database_can_be_named() throws Exception {
    Map<String, Object> config =
        Map.of("connection", "maria", "database", "mysql", "query", sql("SELECT database() AS d"));
    Result result =
        executor(DATABASE.jdbcUrl().replace("jdbc:mariadb:", "jdbc:mysql:"))
            .execute(Calls.of("sql", config, log));
    assertThat(((Result.Succeeded) result).outputs().get("first")).isEqualTo(Map.of("d", "mysql"));
  }

  @Test
  void an_address_of_another_kind_is_refused() throws Exception {
    Map<String, Object> config = Map.of("connection", "maria", "query", sql("SELECT 1"));
    assertThat(error(executor("jdbc:h2:mem:x").execute(Calls.of("sql", config, log))).hint())
        .contains("jdbc:postgresql:", "jdbc:mariadb:");
  }

  private static int running(String text) throws SQLException {
    try (Connection connection = connection();
        var statement =
            connection.prepareStatement(
                "SELECT count(*) FROM information_schema.processlist WHERE info LIKE ? AND id <>"
                    + " connection_id()")) {
      statement.setString(1, "%" + text);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }
}
