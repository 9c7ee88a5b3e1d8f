package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads columns of a row as values. */
public final class Columns {
  private Columns() {}

  /** A time that is there. */
  public static Instant time(ResultSet rs, String column) throws SQLException {
    return rs.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** A time, or null. */
  public static @Nullable Instant timeOrNull(ResultSet rs, String column) throws SQLException {
    OffsetDateTime time = rs.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** A tree without secrets; empty for null. */
  public static Map<String, @Nullable Object> tree(ResultSet rs, String column)
      throws SQLException {
    return tree(rs, column, EncryptionContext.NONE);
  }

  /** The same where secrets may be, sealed for that row. */
  public static Map<String, @Nullable Object> tree(
      ResultSet rs, String column, EncryptionContext row) throws SQLException {
    String json = rs.getString(column);
    return json == null ? Map.of() : Json.readMap(json, row);
  }

  /** A tree without secrets, or null. */
  public static @Nullable Map<String, @Nullable Object> treeOrNull(ResultSet rs, String column)
      throws SQLException {
    return treeOrNull(rs, column, EncryptionContext.NONE);
  }

  /** The same where secrets may be, sealed for that row. */
  public static @Nullable Map<String, @Nullable Object> treeOrNull(
      ResultSet rs, String column, EncryptionContext row) throws SQLException {
    String json = rs.getString(column);
    return json == null ? null : Json.readMap(json, row);
  }

  /** An array of texts; empty for null. */
  public static List<String> texts(ResultSet rs, String column) throws SQLException {
    Array array = rs.getArray(column);
    return array == null ? List.of() : List.of((String[]) array.getArray());
  }
}
