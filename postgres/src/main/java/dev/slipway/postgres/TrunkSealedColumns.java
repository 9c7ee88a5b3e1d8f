package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import java.util.List;
import java.util.UUID;

/** The columns of the trunk's tables that hold sealed values. */
final class TrunkSealedColumns {
  private TrunkSealedColumns() {}

  static final List<SealedColumns> ALL =
      List.of(
          new SealedColumns(
              "environments",
              List.of("name"),
              List.of("variables"),
              SealedColumns.Storage.JSONB,
              rs -> EncryptionContext.environment(rs.getString("name"))),
          new SealedColumns(
              "runs",
              List.of("id"),
              List.of("inputs", "variables", "outputs"),
              SealedColumns.Storage.JSON,
              rs -> EncryptionContext.run(rs.getObject("id", UUID.class))),
          new SealedColumns(
              "planned_runs",
              List.of("approval_id"),
              List.of("inputs"),
              SealedColumns.Storage.JSON,
              rs -> EncryptionContext.run(rs.getObject("run_id", UUID.class))),
          new SealedColumns(
              "steps",
              List.of("run_id", "name"),
              List.of("memory", "outputs"),
              SealedColumns.Storage.JSON,
              rs ->
                  EncryptionContext.step(rs.getObject("run_id", UUID.class), rs.getString("name"))),
          new SealedColumns(
              "module_states",
              List.of("workspace", "version"),
              List.of("state"),
              SealedColumns.Storage.BYTES,
              rs -> EncryptionContext.moduleState(rs.getString("workspace"))),
          new SealedColumns(
              "idempotency_keys",
              List.of("user_name", "key", "scope"),
              List.of("reply"),
              SealedColumns.Storage.BYTES,
              rs ->
                  EncryptionContext.reply(
                      rs.getString("user_name"), rs.getString("key"), rs.getString("scope"))));
}
