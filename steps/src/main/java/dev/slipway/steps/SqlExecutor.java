package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs SQL on a configured database. Values arrive as bind parameters; in a transaction an error
 * undoes everything.
 */
public final class SqlExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "sql",
              Set.of(),
              List.of(
                  new Field(
                      "connection", Kind.TEXT, Need.REQUIRED, "name of a configured connection"),
                  new Field(
                      "database", Kind.TEXT, Need.OPTIONAL, "another database of that server"),
                  new Field("statements", Kind.SQL, Need.OPTIONAL, "statements, run in order"),
                  new Field(
                      "query",
                      Kind.SQL,
                      Need.OPTIONAL,
                      "one query whose rows are outputs, after the statements"),
                  new Field("params", Kind.LIST, Need.OPTIONAL, "values for ? in the query"),
                  new Field("ignore", Kind.LIST, Need.OPTIONAL, "SQLSTATEs that count as done"),
                  new Field("transaction", Kind.BOOLEAN, Need.OPTIONAL, "all or nothing; true")),
              1,
              StepType.Code.NONE)
          .atLeastOne("statements", "query")
          .told(
              "Runs SQL on a configured connection: PostgreSQL, MySQL or MariaDB. Whatever a"
                  + " template emits becomes a bind parameter; names need `ident`.",
              "An error rolls the transaction back and fails the step. Without a transaction,"
                  + " statements before the failed one stay done; `ignore` lets a repeated one"
                  + " count as done.")
          .giving("rows", "at most 1,000 rows of the query")
          .giving("row_count", "how many rows there were, or were changed")
          .giving("first", "the first row");

  private final Supplier<SqlConnections> connections;
  private final InstantSource clock;

  /** On the databases that are configured when a step runs. */
  public SqlExecutor(Supplier<SqlConnections> connections, InstantSource clock) {
    this.connections = connections;
    this.clock = clock;
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    String name = String.valueOf(call.config().get("connection"));
    SqlConnections configured = connections.get();
    Optional<SqlConnections.Target> target = configured.find(name);
    if (target.isEmpty()) {
      return failed(
          "unknown-connection",
          "no connection '" + name + "' is configured",
          Optional.ofNullable(Nearest.hint(name, configured.names()))
              .orElse("Add it under connections in the configuration."));
    }
    List<RenderedSql> statements = statements(call);
    if (statements.isEmpty()) {
      return failed("no-statements", "neither statements nor query is given", null);
    }
    Duration left = Duration.between(clock.instant(), call.deadline());
    try (Connection connection = connect(target.get(), call)) {
      return runOn(connection, statements, call, left);
    } catch (SQLException e) {
      return failed(e);
    }
  }

  private Result runOn(
      Connection connection, List<RenderedSql> statements, StepCall call, Duration left)
      throws InterruptedException, SQLException {
    SqlScript script = new SqlScript(connection, statements, transactional(call), ignored(call));
    CompletableFuture<Map<String, Object>> done = new CompletableFuture<>();
    Thread worker =
        Thread.startVirtualThread(
            () -> {
              try {
                done.complete(script.run());
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    try {
      Map<String, Object> outputs = done.get(left.toMillis(), TimeUnit.MILLISECONDS);
      call.log()
          .line(
              StepLog.Stream.NOTE,
              statements.size() + " statements, " + outputs.get("row_count") + " rows");
      return new Result.Succeeded(outputs, Set.of());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException sql) {
        return failed(sql);
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      script.cancel();
      worker.join(Duration.ofSeconds(5));
      return failed("timeout", "the statement took longer than the step's timeout", null);
    } catch (InterruptedException e) {
      script.cancel();
      worker.join(Duration.ofSeconds(5));
      throw e;
    }
  }

  private static List<RenderedSql> statements(StepCall call) {
    List<RenderedSql> all = new ArrayList<>();
    switch (call.config().get("statements")) {
      case null -> {}
      case List<?> list -> list.forEach(s -> all.add((RenderedSql) s));
      case Object one -> all.add((RenderedSql) one);
    }
    if (call.config().get("query") instanceof RenderedSql query) {
      List<Object> values = new ArrayList<>(query.values());
      if (call.config().get("params") instanceof List<?> params) {
        values.addAll(params);
      }
      all.add(new RenderedSql(query.text(), values));
    }
    return all;
  }

  private static List<String> ignored(StepCall call) {
    return call.config().get("ignore") instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  private static SqlScript.Scope transactional(StepCall call) {
    return Boolean.FALSE.equals(call.config().get("transaction"))
        ? SqlScript.Scope.EACH_STATEMENT
        : SqlScript.Scope.ONE_TRANSACTION;
  }

  private static Connection connect(SqlConnections.Target target, StepCall call)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", target.username());
    properties.setProperty("password", target.password());
    properties.setProperty(
        "connectTimeout", target.url().startsWith("jdbc:postgresql:") ? "10" : "10000");
    if (target.url().startsWith("jdbc:postgresql:")) {
      properties.setProperty("ApplicationName", "slipway " + call.scope().workflow());
    }
    String url = target.url();
    if (call.config().get("database") instanceof String database) {
      url = otherDatabase(url, database);
    }
    return DriverManager.getConnection(url, properties);
  }

  /** The same server, another database: the last path segment of the address is replaced. */
  static String otherDatabase(String url, String database) {
    int query = url.indexOf('?');
    String base = query < 0 ? url : url.substring(0, query);
    String rest = query < 0 ? "" : url.substring(query);
    return base.substring(0, base.lastIndexOf('/') + 1)
        + java.net.URLEncoder.encode(database, java.nio.charset.StandardCharsets.UTF_8)
        + rest;
  }

  private static Result failed(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    boolean passing =
        state.startsWith("08")
            || state.equals("40001")
            || state.equals("40P01")
            || state.startsWith("57P");
    String message = e.getMessage() + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")");
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("sqlstate", state);
    return new Result.Failed(
        passing
            ? StepError.passing("sql-error", message, "The database may be away for a moment.")
            : StepError.permanent("sql-error", message, "Run the statement by hand to see more."),
        outputs);
  }

  private static Result failed(String code, String message, String hint) {
    return new Result.Failed(StepError.permanent(code, message, hint), Map.of());
  }
}
