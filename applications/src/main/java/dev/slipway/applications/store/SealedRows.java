package dev.slipway.applications.store;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.postgres.SealedColumns;
import dev.slipway.postgres.SealedColumns.Storage;
import java.util.List;
import java.util.UUID;

/**
 * The rows of this branch that hold sealed values. Another text of a context opens none of them.
 */
public final class SealedRows {
  /** All columns with sealed values. */
  public static final List<SealedColumns> ALL =
      List.of(
          new SealedColumns(
              "resources",
              List.of("id"),
              List.of(
                  "metadata",
                  "params",
                  "applied_params",
                  "attempted_params",
                  "outputs",
                  "identifying"),
              Storage.JSONB,
              rs -> resource(rs.getObject("id", UUID.class))),
          new SealedColumns(
              "applications",
              List.of("id"),
              List.of("workload"),
              Storage.JSON,
              rs -> application(rs.getObject("id", UUID.class))),
          new SealedColumns(
              "revisions",
              List.of("application_id", "revision"),
              List.of("spec", "workload"),
              Storage.JSON,
              rs -> revision(rs.getObject("application_id", UUID.class), rs.getInt("revision"))));

  private SealedRows() {}

  static EncryptionContext resource(UUID id) {
    return new EncryptionContext("resources/" + id);
  }

  static EncryptionContext application(UUID id) {
    return new EncryptionContext("applications/" + id);
  }

  static EncryptionContext revision(UUID application, int revision) {
    return new EncryptionContext("revisions/" + application + "/" + revision);
  }
}
