package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Reseals secrets of an older key, or of the first releases' format, with the current key. It walks
 * over every table that holds secrets in primary key order, a few rows in one transaction, so that
 * writers never wait for long. After an interruption it can start again.
 */
public final class Resealing {
  private static final int ROWS_AT_ONCE = 50;
  private static final int SCANNED_AT_ONCE = 2_000;

  private final Jdbi jdbi;
  private final SecretBox box;
  private final List<SealedColumns> all;

  /** Of the trunk's columns and of these. */
  public Resealing(Jdbi jdbi, SecretBox box, List<SealedColumns> ofBranches) {
    this.jdbi = jdbi;
    this.box = box;
    this.all = Stream.concat(ofBranches.stream(), TrunkSealedColumns.ALL.stream()).toList();
  }

  /** Reseals all rows that need it; returns how many it changed. */
  public long all() {
    long changed = 0;
    for (SealedColumns sheet : all) {
      for (List<List<Object>> keys = candidates(sheet, null);
          !keys.isEmpty();
          keys = candidates(sheet, keys.getLast())) {
        for (int from = 0; from < keys.size(); from += ROWS_AT_ONCE) {
          List<List<Object>> some = keys.subList(from, Math.min(from + ROWS_AT_ONCE, keys.size()));
          changed += jdbi.inTransaction(h -> reseal(h, sheet, some));
        }
      }
    }
    return changed;
  }

  /** The keys of the next rows that contain a value not sealed with the current key. */
  private List<List<Object>> candidates(SealedColumns sheet, @Nullable List<Object> after) {
    String order = String.join(", ", sheet.key());
    String holds =
        String.join(
            " OR ",
            sheet.columns().stream().map(column -> outdated(sheet.storage(), column)).toList());
    String sql =
        "SELECT "
            + order
            + " FROM "
            + sheet.table()
            + " WHERE ("
            + holds
            + ")"
            + (after == null ? "" : " AND (" + order + ") > (" + marks(sheet.key().size()) + ")")
            + " ORDER BY "
            + order
            + " LIMIT "
            + SCANNED_AT_ONCE;
    return jdbi.withHandle(
        h -> {
          Query query = h.createQuery(sql);
          for (int i = 0; after != null && i < after.size(); i++) {
            query.bind(i, after.get(i));
          }
          return query.map((rs, _) -> key(sheet, rs)).list();
        });
  }

  /** One value that does not name the current key is enough. */
  private String outdated(SealedColumns.Storage storage, String column) {
    String current = "v2:" + box.keys().sealing() + ":";
    return switch (storage) {
      case JSON, JSONB -> column + "::text ~ '\"\\$sealed\": ?\"(?!" + current + ")'";
      case BYTES ->
          "encode(substring(" + column + ", 1, 32), 'escape') NOT LIKE '" + current + "%'";
    };
  }

  private static String marks(int count) {
    return String.join(", ", java.util.Collections.nCopies(count, "?"));
  }

  private static List<Object> key(SealedColumns sheet, ResultSet rs) throws SQLException {
    List<Object> key = new ArrayList<>();
    for (String column : sheet.key()) {
      key.add(rs.getObject(column));
    }
    return key;
  }

  private long reseal(Handle handle, SealedColumns sheet, List<List<Object>> keys) {
    long changed = 0;
    for (List<Object> key : keys) {
      changed += reseal(handle, sheet, key.toArray());
    }
    return changed;
  }

  private int reseal(Handle handle, SealedColumns sheet, Object[] key) {
    String where = " WHERE (" + String.join(", ", sheet.key()) + ") = (" + marks(key.length) + ")";
    Query query =
        handle.createQuery("SELECT * FROM " + sheet.table() + where + " FOR NO KEY UPDATE");
    for (int i = 0; i < key.length; i++) {
      query.bind(i, key[i]);
    }
    return query
        .map((rs, _) -> resealed(sheet, rs))
        .findOne()
        .filter(Changed::any)
        .map(Changed::values)
        .map(values -> sheet.update(handle, values, key, where))
        .orElse(0);
  }

  /** The columns of a row; an unchanged row is not written, so that a pass ends. */
  private record Changed(List<@Nullable Object> values, boolean any) {}

  private Changed resealed(SealedColumns sheet, ResultSet rs) throws SQLException {
    EncryptionContext row = sheet.row().context(rs);
    List<@Nullable Object> values = new ArrayList<>();
    boolean any = false;
    for (String column : sheet.columns()) {
      switch (sheet.storage()) {
        case JSON, JSONB -> {
          String json = rs.getString(column);
          Object before = json == null ? null : Json.read(json, row);
          Object after = json == null ? null : tree(before, row);
          any |= !Objects.equals(before, after);
          values.add(json == null ? null : Json.write(after));
        }
        case BYTES -> {
          byte[] before = rs.getBytes(column);
          byte[] after = bytes(before, row);
          any |= !Arrays.equals(before, after);
          values.add(after);
        }
      }
    }
    return new Changed(values, any);
  }

  /** A leaf that no key opens stays as it is: a user's value may look like a sealed one. */
  private @Nullable Object tree(@Nullable Object tree, EncryptionContext row) {
    return Values.mapLeaves(tree, leaf -> leaf instanceof Sealed sealed ? leaf(sealed, row) : leaf);
  }

  private Sealed leaf(Sealed sealed, EncryptionContext row) {
    try {
      return box.fits(sealed, row) ? sealed : box.seal(box.open(sealed), row);
    } catch (IllegalStateException | IllegalArgumentException e) {
      return sealed;
    }
  }

  private byte @Nullable [] bytes(byte @Nullable [] sealed, EncryptionContext row) {
    return sealed == null
        ? null
        : leaf(new Sealed(new String(sealed, StandardCharsets.US_ASCII), row), row)
            .ciphertext()
            .getBytes(StandardCharsets.US_ASCII);
  }
}
