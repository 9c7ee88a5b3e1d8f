package dev.slipway.steps.sql;

import dev.slipway.engine.value.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query as outputs. Nothing is rounded: a number that outputs cannot hold exactly
 * becomes text. Times are ISO 8601, bytes base64, JSON columns their content.
 */
final class SqlRows {
  /** The row limit; further rows are not read. */
  static final int MOST = 1000;

  /** The size limit of all rows, roughly in characters; outputs could not keep more. */
  private static final long LARGEST = 4L * 1024 * 1024;

  private static final int LAST_YEAR = 9999;

  private final ResultSet rows;
  private final ResultSetMetaData columns;
  private long size;

  SqlRows(ResultSet rows) throws SQLException {
    this.rows = rows;
    this.columns = rows.getMetaData();
  }

  List<Object> read() throws SQLException {
    List<Object> all = new ArrayList<>();
    while (all.size() < MOST && rows.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        Object value = value(i);
        size += value instanceof String text ? text.length() : 8;
        row.put(columns.getColumnLabel(i), value);
      }
      if (size > LARGEST) {
        throw new SQLException("the rows are larger than 4 MiB; select less", "54000");
      }
      all.add(row);
    }
    return all;
  }

  private @Nullable Object value(int column) throws SQLException {
    String name = columns.getColumnTypeName(column).toLowerCase(java.util.Locale.ROOT);
    return switch (columns.getColumnType(column)) {
      case Types.DATE, Types.TIME, Types.TIME_WITH_TIMEZONE -> rows.getString(column);
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> moment(column, name);
      default ->
          Set.of("json", "jsonb").contains(name)
              ? json(rows.getString(column))
              : plain(rows.getObject(column));
    };
  }

  private @Nullable Object moment(int column, String type) throws SQLException {
    boolean zoned = type.equals("timestamptz");
    OffsetDateTime moment =
        zoned
            ? rows.getObject(column, OffsetDateTime.class)
            : atUtc(rows.getObject(column, LocalDateTime.class));
    if (moment == null || Math.abs(moment.getYear()) > LAST_YEAR) {
      return rows.getString(column); // null, or infinity
    }
    return zoned
        ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
            moment.withOffsetSameInstant(ZoneOffset.UTC))
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(moment);
  }

  private static @Nullable OffsetDateTime atUtc(@Nullable LocalDateTime time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }

  private static @Nullable Object json(@Nullable String text) {
    try {
      return text == null ? null : Json.read(text);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  private static @Nullable Object plain(@Nullable Object value) throws SQLException {
    return switch (value) {
      case null -> null;
      case Boolean b -> b;
      case Byte b -> b.longValue();
      case Short s -> s.longValue();
      case Integer i -> i.longValue();
      case Long l -> l;
      case BigInteger big -> whole(big);
      case Double d -> finite(d);
      case Float f -> finite(Double.parseDouble(f.toString()));
      case BigDecimal d -> exact(d);
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Blob blob -> plain(blob.getBytes(1, (int) Math.min(blob.length(), LARGEST)));
      case Clob clob -> clob.getSubString(1, (int) Math.min(clob.length(), LARGEST));
      case Array array -> list(array.getArray());
      default -> value.toString();
    };
  }

  private static Object whole(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
  }

  private static Object finite(double number) {
    return Double.isFinite(number) ? number : (Object) Double.toString(number);
  }

  private static Object exact(BigDecimal number) {
    if (number.scale() <= 0) {
      return whole(number.toBigIntegerExact());
    }
    double near = number.doubleValue();
    boolean same =
        Double.isFinite(near) && new BigDecimal(Double.toString(near)).compareTo(number) == 0;
    return same ? near : (Object) number.toPlainString();
  }

  private static Object list(Object array) throws SQLException {
    if (!(array instanceof Object[] elements)) {
      return String.valueOf(array);
    }
    List<Object> list = new ArrayList<>(elements.length);
    for (Object element : Arrays.asList(elements)) {
      list.add(element instanceof Object[] inner ? list(inner) : plain(element));
    }
    return list;
  }
}
