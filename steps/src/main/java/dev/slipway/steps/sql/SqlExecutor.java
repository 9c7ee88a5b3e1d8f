package dev.slipway.steps.sql;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.workflow.RenderedSql;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Grant;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs SQL on a configured database. Values are passed as bind parameters; in a transaction an
 * error rolls everything back.
 */
public record SqlExecutor(Supplier<SqlConnections> connections, InstantSource clock)
    implements StepExecutor {
  public static final StepType TYPE =
      new StepType(
              "sql",
              Set.of(),
              List.of(
                  new Field(
                          "connection",
                          Kind.TEXT,
                          Need.REQUIRED,
                          "name of a configured connection that the provider is granted; a"
                              + " literal or `{{ .config.NAME }}`")
                      .granted(Grant.CONNECTIONS),
                  new Field(
                      "database", Kind.TEXT, Need.OPTIONAL, "another database of that server"),
                  new Field("statements", Kind.SQL, Need.OPTIONAL, "statements, run in order"),
                  new Field(
                      "query",
                      Kind.SQL,
                      Need.OPTIONAL,
                      "one query whose rows are outputs, after the statements"),
                  new Field("params", Kind.LIST, Need.OPTIONAL, "values for ? in the query"),
                  new Field(
                      "ignore",
                      Kind.LIST,
                      Need.OPTIONAL,
                      "SQLSTATEs or, of MariaDB, error numbers that count as done; only with"
                          + " transaction: false"),
                  new Field("transaction", Kind.BOOLEAN, Need.OPTIONAL, "all or nothing; true")),
              1,
              StepType.Code.NONE)
          .atLeastOne("statements", "query")
          .documented(
              "Runs SQL on a configured connection: PostgreSQL, MySQL or MariaDB. Whatever a"
                  + " template emits becomes a bind parameter; names need `ident`.",
              "An error rolls the transaction back and fails the step; the error says what stays"
                  + " done: without a transaction the statements before the failed one, on MariaDB"
                  + " and MySQL also what came before a CREATE, ALTER, DROP or the like, which"
                  + " commit by themselves. Deadlocks, lock timeouts and lost connections are"
                  + " transient. When the connection breaks at the commit the error is"
                  + " outcome-unknown and nothing is tried again. PostgreSQL statements can fail"
                  + " the step in words of their own: `RAISE EXCEPTION 'role % is there', name USING"
                  + " ERRCODE = 'SW001', HINT = '...'` is the error `not-ours`, SW002"
                  + " `not-possible`, SW003 `missing`, for a look at what is gone.")
          .giving("rows", "at most 1,000 rows of the query")
          .giving("row_count", "how many rows there were, or were changed")
          .giving("first", "the first row");

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    String name = String.valueOf(call.config().get("connection"));
    if (!call.scope().grants().connection(name)) {
      return Result.failed(
          "connection-not-granted",
          "the connection '%s' is not granted to provider '%s'"
              .formatted(name, call.scope().provider()),
          call.scope().grants().caller() == null
              ? "Add it to the provider's grants.connections in the configuration."
              : "Add it to grants.connections of the provider and of those whose workflows call this"
                  + " one.");
    }
    SqlConnections configured = connections.get();
    Optional<SqlConnections.Lookup> lookup = configured.find(name);
    if (lookup.isEmpty()) {
      return Result.failed(
          "unknown-connection",
          "no connection '" + name + "' is configured",
          Optional.ofNullable(Nearest.hint(name, configured.names()))
              .orElse("Add it under connections in the configuration."));
    }
    List<RenderedSql> statements = statements(call);
    if (statements.isEmpty()) {
      return Result.failed("no-statements", "neither statements nor query is given", null);
    }
    try {
      return on(name, lookup.get().target(), configured.state(), statements, call);
    } catch (SqlConnections.UnavailableException e) {
      return new Result.Failed(
          StepError.passing(
              "connection-unavailable",
              "connection '" + name + "' cannot be used now: " + e.getMessage(),
              "See the server's log."),
          Map.of());
    }
  }

  private Result on(
      String name,
      SqlConnections.Target target,
      Optional<StateDatabase> state,
      List<RenderedSql> statements,
      StepCall call)
      throws InterruptedException {
    Optional<SqlServer> server = SqlServer.at(target.url());
    if (server.isEmpty()) {
      return Result.failed(
          "unknown-database",
          "connection '" + name + "' is for a database that sql steps cannot use",
          "Its url has to begin with jdbc:postgresql:, jdbc:mariadb: or jdbc:mysql:.");
    }
    Optional<String> database =
        Optional.ofNullable(call.config().get("database")).map(String::valueOf);
    try (Connection connection = server.get().connect(target, database, call.scope().workflow())) {
      Optional<String> refusal = refusal(server.get(), state, connection);
      if (refusal.isPresent()) {
        return Result.failed(
            "state-database",
            "connection '" + name + "' " + refusal.get() + ", which no step may use",
            "Name another PostgreSQL server in its url, or a login that is no superuser there.");
      }
      SqlScript script =
          new SqlScript(
              server.get(),
              connection,
              statements,
              transactional(call),
              ignored(call),
              call.lease());
      return run(script, connection, call);
    } catch (SQLException e) {
      return failed(SqlFailure.at(server.get(), e, 1, 1, 0));
    }
  }

  private static Optional<String> refusal(
      SqlServer server, Optional<StateDatabase> state, Connection connection) throws SQLException {
    return server == SqlServer.POSTGRESQL && state.isPresent()
        ? state.get().refusal(connection)
        : Optional.empty();
  }

  private Result run(SqlScript script, Connection connection, StepCall call)
      throws InterruptedException, SQLException {
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
    Duration left = Duration.between(clock.instant(), call.deadline());
    try {
      Map<String, Object> outputs = done.get(left.toMillis(), TimeUnit.MILLISECONDS);
      call.log().line(StepLog.Stream.NOTE, "done, " + outputs.get("row_count") + " rows");
      return new Result.Succeeded(outputs, Set.of());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SqlFailure failure) {
        return failed(failure);
      }
      if (e.getCause() instanceof InterruptedException) {
        throw new InterruptedException("stopped before its next statement");
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      stop(script, worker, connection);
      return Result.failed(
          "timeout",
          "the statement took longer than the step's timeout and was cancelled",
          "Raise the step's timeout, or look at what the statement waits for in the database.");
    } catch (InterruptedException e) {
      stop(script, worker, connection);
      throw e;
    }
  }

  /**
   * Cancels the statement; gives up on a server that does not answer, which ends the statement by
   * itself.
   */
  private static void stop(SqlScript script, Thread worker, Connection connection)
      throws InterruptedException, SQLException {
    script.cancel();
    if (!worker.join(Duration.ofSeconds(5))) {
      connection.abort(Runnable::run);
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

  private static Result failed(SqlFailure failure) {
    return new Result.Failed(failure.error(), Map.of("sqlstate", failure.state()));
  }
}
