package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

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
}
