package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.SecretBox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many rows as one array per column, for statements that read them with {@code unnest}: one
 * statement for a batch of any size.
 */
public final class Rows<T> {
  private final Connection connection;
  private final PreparedStatement statement;
  private final List<T> rows;
  private int parameter;

  private Rows(Connection connection, PreparedStatement statement, List<T> rows, int bound) {
    this.connection = connection;
    this.statement = statement;
    this.rows = rows;
    this.parameter = bound;
  }

  /** Binds these rows to the statement, column by column in the order of its parameters. */
  public static <T> Rows<T> bind(Connection connection, PreparedStatement statement, List<T> rows) {
    return new Rows<>(connection, statement, rows, 0);
  }

  /** Binds rows of another kind to the parameters behind those that are bound so far. */
  public <U> Rows<U> then(List<U> others) {
    return new Rows<>(connection, statement, others, parameter);
  }

  /** A column of any type that the driver supports. */
  public Rows<T> column(String type, Function<T, @Nullable Object> value) throws SQLException {
    Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(rows.get(i));
    }
    statement.setArray(++parameter, connection.createArrayOf(type, values));
    return this;
  }

  /** A column of texts. PostgreSQL stores no NUL in a text, so it is replaced. */
  public Rows<T> text(Function<T, @Nullable String> value) throws SQLException {
    return column(
        "text",
        row -> {
          String text = value.apply(row);
          return text == null || text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
        });
  }

  /** A column of JSON trees; the statement casts it. */
  public Rows<T> json(Function<T, @Nullable Object> value) throws SQLException {
    return column(
        "text",
        row -> {
          Object tree = value.apply(row);
          return tree == null ? null : Json.write(tree);
        });
  }

  /** A column of JSON trees whose secrets are sealed, each for its own row. */
  public Rows<T> sealed(
      SecretBox box, Function<T, EncryptionContext> row, Function<T, @Nullable Object> value)
      throws SQLException {
    return json(
        r -> {
          Object tree = value.apply(r);
          return tree == null ? null : box.bind(tree, row.apply(r));
        });
  }

  /** A column of times. */
  public Rows<T> time(Function<T, @Nullable Instant> value) throws SQLException {
    return column(
        "timestamptz",
        row -> {
          Instant time = value.apply(row);
          return time == null ? null : time.toString();
        });
  }
}
