package dev.slipway.steps.sql;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.RenderedSql;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs statements in order on one connection; returns the rows of the last one that has any. */
final class SqlScript {
  /** What an error rolls back. */
  enum Scope {
    ONE_TRANSACTION,
    EACH_STATEMENT
  }

  private static final int ROWS_AT_ONCE = 100;
  private static final int SYNTAX_ERROR = 1064;

  private final SqlServer server;
  private final Connection connection;
  private final List<RenderedSql> statements;
  private final Scope scope;
  private final List<String> ignored;
  private final RunLease lease;
  private volatile @Nullable PreparedStatement running;
  private volatile boolean cancelled;

  SqlScript(
      SqlServer server,
      Connection connection,
      List<RenderedSql> statements,
      Scope scope,
      List<String> ignored,
      RunLease lease) {
    this.server = server;
    this.connection = connection;
    this.statements = statements;
    this.scope = scope;
    this.ignored = ignored;
    this.lease = lease;
  }

  Map<String, Object> run() throws SqlFailure, InterruptedException {
    Map<String, Object> outputs = outputs(List.of(), 0);
    int kept = 0;
    for (int i = 0; i < statements.size(); i++) {
      String text = statements.get(i).in(server.dialect());
      try {
        connection.setAutoCommit(scope == Scope.EACH_STATEMENT);
        outputs = executeOrIgnore(text, statements.get(i).values());
      } catch (SQLException e) {
        int lost = server.commitsByItself(text) && committed(e) ? i : kept;
        rollback();
        throw SqlFailure.at(server, e, i + 1, statements.size(), lost);
      }
      kept = scope == Scope.EACH_STATEMENT || server.commitsByItself(text) ? i + 1 : kept;
    }
    commit();
    return outputs;
  }

  /** Whether a statement that commits implicitly did so before it failed. */
  private boolean committed(SQLException e) {
    if (e.getErrorCode() == SYNTAX_ERROR || SqlServer.brokenConnection(e)) {
      return false;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@in_transaction")) {
      return !(row.next() && row.getBoolean(1));
    } catch (SQLException unknown) {
      return true; // MySQL does not report it; it commits before it executes the statement
    }
  }

  private void commit() throws SqlFailure, InterruptedException {
    if (scope == Scope.ONE_TRANSACTION) {
      lease.check();
      try {
        connection.commit();
      } catch (SQLException e) {
        throw SqlFailure.atCommit(server, e);
      }
    }
  }

  private void rollback() {
    try {
      if (scope == Scope.ONE_TRANSACTION) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // The connection is gone, and the server rolls back the open transaction.
    }
  }

  /**
   * Cancels the running statement; closing the connection afterwards rolls an open transaction
   * back.
   */
  void cancel() throws SQLException {
    cancelled = true;
    PreparedStatement statement = running;
    if (statement != null) {
      statement.cancel();
    }
  }

  /**
   * Ignores an error only outside of a transaction: inside one it has rolled back the earlier
   * statements.
   */
  private Map<String, Object> executeOrIgnore(String text, List<Object> values)
      throws SQLException, InterruptedException {
    try {
      return execute(text, values);
    } catch (SQLException e) {
      boolean named =
          ignored.contains(e.getSQLState()) || ignored.contains(String.valueOf(e.getErrorCode()));
      if (scope == Scope.EACH_STATEMENT && named) {
        return outputs(List.of(), 0);
      }
      throw e;
    }
  }

  private Map<String, Object> execute(String text, List<Object> values)
      throws SQLException, InterruptedException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      int index = 1;
      for (Object value : values) {
        statement.setObject(index++, bindable(value));
      }
      if (server.limitsRows(text)) {
        statement.setMaxRows(SqlRows.MOST);
      }
      statement.setFetchSize(ROWS_AT_ONCE);
      running = statement;
      if (cancelled) {
        throw new SQLException("the step was stopped", "57014");
      }
      lease.check();
      return statement.execute() ? read(statement) : changed(statement);
    } finally {
      running = null;
    }
  }

  private static @Nullable Object bindable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case BigInteger big -> new BigDecimal(big);
      case Map<?, ?> map -> Json.write(map);
      case List<?> list -> Json.write(list);
      default -> value;
    };
  }

  private static Map<String, Object> read(PreparedStatement statement) throws SQLException {
    List<Object> rows = new SqlRows(statement.getResultSet()).read();
    return outputs(rows, rows.size());
  }

  private static Map<String, Object> changed(PreparedStatement statement) throws SQLException {
    return outputs(List.of(), Math.max(0, statement.getUpdateCount()));
  }

  private static Map<String, Object> outputs(List<Object> rows, long count) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("rows", rows);
    outputs.put("row_count", count);
    outputs.put("first", rows.isEmpty() ? null : rows.getFirst());
    return outputs;
  }
}
