package dev.slipway.steps.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.math.BigInteger;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PostgresSqlTest {
  private static final TestDatabase DATABASE = TestPostgres.freshDatabase();
  private final Lines log = new Lines();
  private final SqlExecutor executor =
      new SqlExecutor(
          () ->
              new SqlConnections(
                  Map.of(
                      "pg",
                      new SqlConnections.Target(
                          DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password())),
                  Optional.empty()),
          InstantSource.system());

  private static RenderedSql sql(String text, Object... values) {
    return new RenderedSql(text, List.of(values));
  }

  private Result run(Map<String, Object> config) throws InterruptedException {
    return executor.execute(Calls.of("sql", config, log));
  }

  private Result.Succeeded query(String text, Object... values) throws InterruptedException {
    return (Result.Succeeded) run(Map.of("connection", "pg", "query", sql(text, values)));
  }

  @Test
  void rows_keep_their_types() throws InterruptedException {
    Result.Succeeded result =
        query(
            "SELECT 1 AS i, 9007199254740993::bigint AS b, 1.5::float8 AS f, true AS t, null AS n,"
                + " 12345678901234567890 AS d, 'x' AS s");
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("i", 1L);
    row.put("b", 9007199254740993L);
    row.put("f", 1.5);
    row.put("t", true);
    row.put("n", null);
    row.put("d", new BigInteger("12345678901234567890"));
    row.put("s", "x");
    assertThat(result.outputs().get("first")).isEqualTo(row);
    assertThat(result.outputs()).containsEntry("row_count", 1L);
  }

  @Test
  void a_value_is_data_whatever_it_says() throws InterruptedException {
    String hostile = "'); DROP TABLE x; --";
    assertThat(query("SELECT ?::text AS v", hostile).outputs().get("first"))
        .isEqualTo(Map.of("v", hostile));
  }

  @Test
  void an_error_in_mid_transaction_undoes_everything() throws InterruptedException, SQLException {
    Result result =
        run(
            Map.of(
                "connection",
                "pg",
                "statements",
                List.of(sql("CREATE TABLE half (i int)"), sql("INSERT INTO half VALUES (1/0)"))));
    StepError error = ((Result.Failed) result).error();
    assertThat(error.message()).contains("division by zero", "SQLSTATE 22012");
    assertThat(query("SELECT to_regclass('half')::text AS t").outputs().get("first").toString())
        .isEqualTo("{t=null}");
  }

  @Test
  void statements_outside_of_a_transaction_may_ignore_a_state() throws InterruptedException {
    Map<String, Object> config =
        Map.of(
            "connection",
            "pg",
            "transaction",
            false,
            "ignore",
            List.of("42P04"),
            "statements",
            List.of(sql("CREATE DATABASE twice")));
    assertThat(run(config)).isInstanceOf(Result.Succeeded.class);
    assertThat(run(config)).isInstanceOf(Result.Succeeded.class);
  }

  @Test
  void another_database_of_the_server_can_be_named() throws InterruptedException {
    Result.Succeeded result =
        (Result.Succeeded)
            run(
                Map.of(
                    "connection",
                    "pg",
                    "database",
                    "postgres",
                    "query",
                    sql("SELECT current_database() AS d")));
    assertThat(result.outputs().get("first")).isEqualTo(Map.of("d", "postgres"));
  }

  @Test
  void an_unknown_connection_is_answered_with_the_nearest() throws InterruptedException {
    Map<String, Object> config = Map.of("connection", "pgg", "query", sql("SELECT 1"));
    StepCall call = Calls.granted(Calls.of("sql", config, log), Grants.NONE.withConnections("pgg"));
    StepError error = ((Result.Failed) executor.execute(call)).error();
    assertThat(error.code()).isEqualTo("unknown-connection");
    assertThat(error.hint()).contains("'pg'");
  }

  @Test
  void at_most_a_thousand_rows_are_read() throws InterruptedException {
    assertThat(query("SELECT generate_series(1, 5000) AS i").outputs())
        .containsEntry("row_count", 1000L);
  }

  @Test
  void a_slow_statement_is_cancelled_at_the_deadline() throws InterruptedException {
    Map<String, Object> config = Map.of("connection", "pg", "query", sql("SELECT pg_sleep(60)"));
    Result result =
        executor.execute(Calls.of(Calls.step("sql", config), config, log, Duration.ofMillis(400)));
    assertThat(((Result.Failed) result).error().code()).isEqualTo("timeout");
    await().until(() -> sleepers() == 0);
  }

  @Test
  void an_interrupt_cancels_the_statement() throws Exception {
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                outcome.set(run(Map.of("connection", "pg", "query", sql("SELECT pg_sleep(61)"))));
              } catch (InterruptedException e) {
                outcome.set("interrupted");
              }
            });
    await().until(() -> sleepers() == 1);
    thread.interrupt();
    thread.join();
    assertThat(outcome.get()).isEqualTo("interrupted");
    await().until(() -> sleepers() == 0);
  }

  private static int sleepers() throws SQLException {
    try (var connection =
            DriverManager.getConnection(DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password());
        var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE"
                        + " 'SELECT pg_sleep(6%' AND datname = current_database()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void times_bytes_documents_and_lists_have_their_plain_forms() throws InterruptedException {
    Map<String, Object> expected = new java.util.LinkedHashMap<>();
    expected.put("day", "2026-01-31");
    expected.put("moment", "2026-01-31T12:00:00");
    expected.put("zoned", "2026-01-31T11:00:00Z");
    expected.put("never", "infinity");
    expected.put("bytes", "AP8=");
    expected.put("doc", Map.of("k", List.of(1L, "x")));
    expected.put("list", List.of(1L, 2L));
    expected.put("exact", "12345678901234567890.0123456789");
    expected.put("price", 19.9);
    expected.put("nan", "NaN");
    assertThat(
            query(
                    "SELECT date '2026-01-31' AS day, timestamp '2026-01-31 12:00' AS moment,"
                        + " timestamptz '2026-01-31 12:00+01' AS zoned, timestamp 'infinity' AS"
                        + " never, '\\x00ff'::bytea AS bytes, '{\"k\": [1, \"x\"]}'::jsonb AS doc,"
                        + " ARRAY[1, 2] AS list, 12345678901234567890.0123456789 AS exact, 19.90 AS"
                        + " price, 'NaN'::float8 AS nan")
                .outputs()
                .get("first"))
        .isEqualTo(expected);
  }

  @Test
  void a_definition_in_a_transaction_is_undone_with_it() throws InterruptedException {
    Result result =
        run(
            Map.of(
                "connection",
                "pg",
                "statements",
                List.of(
                    sql("CREATE TABLE gone (i int)"),
                    sql("INSERT INTO gone VALUES (1)"),
                    sql("INSERT INTO nowhere VALUES (1)"))));

    StepError error = ((Result.Failed) result).error();
    assertThat(error.message()).startsWith("statement 3 of 3: ").contains("SQLSTATE 42P01");
    assertThat(error.hint()).startsWith("Nothing was kept.");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
  }

  @Test
  void without_a_transaction_the_statements_before_are_said_to_be_kept()
      throws InterruptedException {
    Result result =
        run(
            Map.of(
                "connection",
                "pg",
                "transaction",
                false,
                "statements",
                List.of(
                    sql("CREATE TABLE stays (i int)"),
                    sql("INSERT INTO stays VALUES (1)"),
                    sql("INSERT INTO stays VALUES (1/0)"))));

    assertThat(((Result.Failed) result).error().message()).endsWith("; statements 1 to 2 are kept");
    assertThat(query("SELECT count(*) AS n FROM stays").outputs().get("first"))
        .isEqualTo(Map.of("n", 1L));
  }

  @Test
  void a_connection_that_is_cut_may_come_back() throws Exception {
    AtomicReference<Result> outcome = new AtomicReference<>();
    Thread step =
        Thread.startVirtualThread(
            () -> {
              try {
                outcome.set(run(Map.of("connection", "pg", "query", sql("SELECT pg_sleep(62)"))));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    await().until(() -> sleepers() == 1);
    TestPostgres.cutConnections(DATABASE);
    step.join();

    assertThat(((Result.Failed) outcome.get()).error().kind()).isEqualTo(StepError.Kind.TRANSIENT);
  }

  @Test
  void a_connection_that_breaks_at_the_commit_is_an_unknown_outcome() throws Exception {
    query("CREATE TABLE perhaps (i int)");
    try (PostgresProxy proxy = PostgresProxy.of(DATABASE)) {
      TestDatabase through = proxy.through(DATABASE);
      SqlExecutor shaky =
          new SqlExecutor(
              () ->
                  new SqlConnections(
                      Map.of(
                          "pg",
                          new SqlConnections.Target(
                              through.jdbcUrl(), through.user(), through.password())),
                      Optional.empty()),
              InstantSource.system());
      proxy.watch(
          new PostgresProxy.CommitWatch() {
            @Override
            public void after(PostgresProxy.Transaction transaction) {
              proxy.cut();
            }
          });
      Map<String, Object> config =
          Map.of("connection", "pg", "statements", sql("INSERT INTO perhaps VALUES (1)"));

      StepError error = ((Result.Failed) shaky.execute(Calls.of("sql", config, log))).error();

      assertThat(error.code()).isEqualTo("outcome-unknown");
      assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
      assertThat(error.hint()).contains("Look into the database");
    }
  }

  @Test
  void a_connection_that_is_not_granted_is_refused_whether_it_exists_or_not()
      throws InterruptedException {
    for (String name : List.of("pg", "no-such-connection")) {
      Map<String, Object> config = Map.of("connection", name, "query", sql("SELECT 1"));
      StepCall call =
          Calls.granted(
              Calls.of("sql", config, log),
              Grants.ofHosts("*").withConnections("another", "*", name + "x"));
      StepError error = ((Result.Failed) executor.execute(call)).error();

      assertThat(error.code()).isEqualTo("connection-not-granted");
      assertThat(error.message())
          .isEqualTo("the connection '" + name + "' is not granted to provider 'volume'");
      assertThat(error.hint()).contains("grants.connections");
    }
  }

  @Test
  void no_step_is_connected_to_the_state_database_nor_as_a_superuser_beside_it() throws Exception {
    Map<String, Object> own = Map.of("connection", "pg", "query", sql("SELECT 1"));
    Map<String, Object> beside =
        Map.of("connection", "pg", "database", "postgres", "query", sql("SELECT 1"));
    SqlExecutor guarded = guarded(DATABASE.user(), DATABASE.password());

    assertThat(error(guarded, own).code()).isEqualTo("state-database");
    assertThat(error(guarded, own).message()).contains("keeps Slipway's own state");
    assertThat(error(guarded, beside).message()).contains("superuser");

    String role = "ordinary_" + Long.toHexString(System.nanoTime());
    try (var connection =
        DriverManager.getConnection(DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password())) {
      connection.createStatement().execute("CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
    }
    assertThat(error(guarded(role, "x"), own).code()).isEqualTo("state-database");
    assertThat(guarded(role, "x").execute(Calls.of("sql", beside, log)))
        .isInstanceOf(Result.Succeeded.class);
  }

  private StepError error(SqlExecutor with, Map<String, Object> config)
      throws InterruptedException {
    return ((Result.Failed) with.execute(Calls.of("sql", config, log))).error();
  }

  /** An executor that takes the test database for the state database. */
  private static SqlExecutor guarded(String user, String password) throws SQLException {
    try (var connection =
            DriverManager.getConnection(DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password());
        var row = connection.createStatement().executeQuery(StateDatabase.IDENTITY)) {
      row.next();
      StateDatabase state = new StateDatabase(row.getString(1), row.getString(2));
      SqlConnections.Target target = new SqlConnections.Target(DATABASE.jdbcUrl(), user, password);
      return new SqlExecutor(
          () -> new SqlConnections(Map.of("pg", target), Optional.of(state)),
          InstantSource.system());
    }
  }

  @Test
  void a_statement_can_say_that_what_it_looks_for_is_gone() throws InterruptedException {
    StepError error =
        error(
            executor,
            Map.of(
                "connection",
                "pg",
                "statements",
                sql(
                    "DO $$ BEGIN RAISE EXCEPTION 'role x is gone' USING ERRCODE = 'SW003'; END $$")));
    assertThat(error.code()).isEqualTo("missing");
    assertThat(error.message()).isEqualTo("role x is gone");
  }

  @Test
  void a_statement_can_say_that_what_it_found_belongs_to_another() throws InterruptedException {
    StepError error =
        error(
            executor,
            Map.of(
                "connection",
                "pg",
                "statements",
                sql(
                    "DO $$ BEGIN RAISE EXCEPTION 'role x is there' USING ERRCODE = 'SW001',"
                        + " HINT = 'Rename it.'; END $$")));
    assertThat(error.code()).isEqualTo("not-ours");
    assertThat(error.message()).isEqualTo("role x is there");
    assertThat(error.hint()).isEqualTo("Rename it.");
  }
}
