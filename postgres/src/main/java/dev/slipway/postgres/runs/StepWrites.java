package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.execute.StepRecord.Parking;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Writes steps as they are now, for many runs at once. */
final class StepWrites {
  private static final String UPSERT =
      """
      INSERT INTO steps (run_id, name, state, attempt, wake_at, waiting_for, memory, limits,
                         input_hash, outputs, error, carried, started_at, finished_at)
      SELECT run_id, name, state, attempt, wake_at, waiting_for, memory::json, limits,
             input_hash, outputs::json, error::json, carried, started_at, finished_at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::int4[], ?::timestamptz[], ?::text[],
                    ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bool[],
                    ?::timestamptz[], ?::timestamptz[])
          AS s (run_id, name, state, attempt, wake_at, waiting_for, memory, limits,
                input_hash, outputs, error, carried, started_at, finished_at)
      ON CONFLICT (run_id, name) DO UPDATE
         SET state = excluded.state, attempt = excluded.attempt, wake_at = excluded.wake_at,
             waiting_for = excluded.waiting_for, memory = excluded.memory,
             limits = excluded.limits, input_hash = excluded.input_hash, outputs = excluded.outputs,
             error = excluded.error, started_at = excluded.started_at,
             finished_at = excluded.finished_at
      """;

  private StepWrites() {}

  /** A step and its run. */
  record Row(UUID run, StepRecord step) {
    EncryptionContext context() {
      return EncryptionContext.step(run, step.name());
    }

    Optional<Parking> parking() {
      return Optional.ofNullable(step.parked());
    }
  }

  static void upsert(Connection connection, SecretBox box, List<Row> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
      Rows.bind(connection, upsert, rows)
          .column("uuid", Row::run)
          .text(r -> r.step().name())
          .text(r -> r.step().state().text())
          .column("int4", r -> r.step().attempt())
          .time(r -> r.step().wakeAt())
          .text(r -> r.parking().map(Parking::waitingFor).orElse(null))
          .sealed(box, Row::context, r -> r.parking().map(Parking::memory).orElse(null))
          .text(r -> r.parking().map(p -> p.limits().text()).orElse(null))
          .text(r -> r.step().inputHash())
          .sealed(box, Row::context, r -> r.step().outputs())
          .json(r -> Trees.of(r.step().error()))
          .column("bool", r -> r.step().origin() == StepRecord.Origin.CARRIED)
          .time(r -> r.step().startedAt())
          .time(r -> r.step().finishedAt());
      upsert.executeUpdate();
    }
  }
}
