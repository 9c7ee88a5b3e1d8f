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
  private static final String GIVEN =
      """
      SELECT run_id, name, state, attempt, wake_at, waiting_for, memory::json, limits,
             input_hash, outputs::json, error::json, carried, started_at, finished_at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::int4[], ?::timestamptz[], ?::text[],
                    ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bool[],
                    ?::timestamptz[], ?::timestamptz[])
          AS s (run_id, name, state, attempt, wake_at, waiting_for, memory, limits,
                input_hash, outputs, error, carried, started_at, finished_at)
      """;

  private static final String INSERT =
      """
      INSERT INTO steps (run_id, name, state, attempt, wake_at, waiting_for, memory, limits,
                         input_hash, outputs, error, carried, started_at, finished_at)
      """;

  /**
   * The transaction has updated the rows of these runs, so no other one writes their steps: each
   * row is either there or not. ON CONFLICT would log a lock for each row that is there, and a
   * confirmation for each that is not.
   */
  private static final String WRITE =
      "WITH given AS MATERIALIZED ("
          + GIVEN
          + """
          ),
          known AS (
            UPDATE steps s
               SET state = g.state, attempt = g.attempt, wake_at = g.wake_at,
                   waiting_for = g.waiting_for, memory = g.memory, limits = g.limits,
                   input_hash = g.input_hash, outputs = g.outputs, error = g.error,
                   started_at = g.started_at, finished_at = g.finished_at
              FROM given g
             WHERE s.run_id = g.run_id AND s.name = g.name)
          """
          + INSERT
          + """
          SELECT * FROM given g
           WHERE NOT EXISTS (SELECT 1 FROM steps s WHERE s.run_id = g.run_id AND s.name = g.name)
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

  /** Of new runs; nothing happens to those of a run that was there before. */
  static void insert(Connection connection, SecretBox box, List<Row> rows) throws SQLException {
    execute(connection, INSERT + GIVEN + "ON CONFLICT (run_id, name) DO NOTHING", box, rows);
  }

  /** Of runs whose rows this transaction has updated. */
  static void write(Connection connection, SecretBox box, List<Row> rows) throws SQLException {
    execute(connection, WRITE, box, rows);
  }

  private static void execute(Connection connection, String sql, SecretBox box, List<Row> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Rows.bind(connection, statement, rows)
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
      statement.executeUpdate();
    }
  }
}
