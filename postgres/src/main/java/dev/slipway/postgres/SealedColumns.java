package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a table that hold sealed values.
 *
 * @param key the columns of the primary key
 * @param row which row a value is sealed for
 */
public record SealedColumns(
    String table, List<String> key, List<String> columns, Storage storage, Row row) {

  public SealedColumns {
    key = List.copyOf(key);
    columns = List.copyOf(columns);
  }

  /** How a column stores sealed values. */
  public enum Storage {
    JSON,
    JSONB,
    /** The ciphertext itself, as bytes. */
    BYTES
  }

  /** The context of a row. */
  public interface Row {
    EncryptionContext context(ResultSet rs) throws SQLException;
  }

  /** Writes these values into the row of that key; answers how many rows had it. */
  int update(Handle handle, List<@Nullable Object> values, Object[] key, String where) {
    String cast =
        switch (storage) {
          case JSON -> "::json";
          case JSONB -> "::jsonb";
          case BYTES -> "::bytea";
        };
    String set = String.join(", ", columns.stream().map(c -> c + " = ?" + cast).toList());
    Update update = handle.createUpdate("UPDATE " + table + " SET " + set + where);
    int next = 0;
    for (Object value : values) {
      update.bindByType(next++, value, storage == Storage.BYTES ? byte[].class : String.class);
    }
    for (Object part : key) {
      update.bind(next++, part);
    }
    return update.execute();
  }
}
