package dev.slipway.steps;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.RenderedSql;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statements in order on one connection; the rows of the last one that has any. */
final class SqlScript {
  /** How much an error undoes. */
  enum Scope {
    ONE_TRANSACTION,
    EACH_STATEMENT
  }

  private static final int MOST_ROWS = 1000;

  private final Connection connection;
  private final List<RenderedSql> statements;
  private final Scope scope;
  private final List<String> ignored;
  private volatile PreparedStatement running;

  SqlScript(
      Connection connection, List<RenderedSql> statements, Scope scope, List<String> ignored) {
    this.connection = connection;
    this.statements = statements;
    this.scope = scope;
    this.ignored = ignored;
  }

  Map<String, Object> run() throws SQLException {
    connection.setAutoCommit(scope == Scope.EACH_STATEMENT);
    Map<String, Object> outputs = outputs(List.of(), 0);
    for (RenderedSql sql : statements) {
      outputs = executeOrIgnore(sql);
    }
    if (scope == Scope.ONE_TRANSACTION) {
      connection.commit();
    }
    return outputs;
  }

  /** Stops the statement that runs now; closing the connection afterwards undoes an open one. */
  void cancel() throws SQLException {
    PreparedStatement statement = running;
    if (statement != null) {
      statement.cancel();
    }
  }

  /** Only outside of a transaction: inside one an error has undone what came before. */
  private Map<String, Object> executeOrIgnore(RenderedSql sql) throws SQLException {
    try {
      return execute(sql);
    } catch (SQLException e) {
      if (scope == Scope.EACH_STATEMENT && ignored.contains(e.getSQLState())) {
        return outputs(List.of(), 0);
      }
      throw e;
    }
  }

  private Map<String, Object> execute(RenderedSql sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
      running = statement;
      int index = 1;
      for (Object value : sql.values()) {
        statement.setObject(index++, bindable(value));
      }
      statement.setMaxRows(MOST_ROWS);
      boolean rows = statement.execute();
      return rows
          ? read(statement.getResultSet())
          : outputs(List.of(), Math.max(0, statement.getUpdateCount()));
    } finally {
      running = null;
    }
  }

  private static Object bindable(Object value) {
    return switch (value) {
      case null -> null;
      case BigInteger big -> new BigDecimal(big);
      case Map<?, ?> map -> Json.write(map);
      case List<?> list -> Json.write(list);
      default -> value;
    };
  }

  private static Map<String, Object> read(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<Object> all = new ArrayList<>();
    while (rows.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        row.put(columns.getColumnLabel(i), plain(rows.getObject(i)));
      }
      all.add(row);
    }
    return outputs(all, all.size());
  }

  private static Object plain(Object value) {
    return switch (value) {
      case null -> null;
      case Boolean b -> b;
      case Integer i -> i.longValue();
      case Short s -> s.longValue();
      case Long l -> l;
      case Double d -> d;
      case Float f -> f.doubleValue();
      case BigDecimal d when d.scale() <= 0 && d.toBigInteger().bitLength() < 64 -> d.longValue();
      case BigDecimal d -> d.scale() <= 0 ? d.toBigInteger() : (Object) d.doubleValue();
      default -> value.toString();
    };
  }

  private static Map<String, Object> outputs(List<Object> rows, long count) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("rows", rows);
    outputs.put("row_count", count);
    outputs.put("first", rows.isEmpty() ? null : rows.getFirst());
    return outputs;
  }
}
