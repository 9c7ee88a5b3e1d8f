package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Inserts runs inside the caller's transaction, so that a run exists exactly when its cause is
 * committed.
 */
public final class RunInsert {
  private static final String DEFINITIONS =
      """
      INSERT INTO definitions (hash, body, created_at)
      SELECT d.hash, d.body::json, d.at
        FROM unnest(?::text[], ?::text[], ?::timestamptz[]) AS d (hash, body, at)
       WHERE NOT EXISTS (SELECT 1 FROM definitions known WHERE known.hash = d.hash)
      ON CONFLICT DO NOTHING
      """;

  private static final String RUNS =
      """
      INSERT INTO runs (id, kind, definition_hash, provider, workflow, operation,
                        application_id, application, resource_id, resource, resource_type,
                        deployment_id, environment, team, parent_run_id, inputs, state,
                        claimable_at, created_by, created_at, time_limit_ms,
                        parent_step, parent_attempt,
                        root, node, subject_kind, subject_key, item, cause,
                        owner, epoch, started_at, deadline_at)
      SELECT id, kind, definition_hash, provider, workflow, operation,
             application_id, application, resource_id, resource, resource_type,
             deployment_id, environment, team, parent_run_id, inputs::json,
             CASE WHEN owner IS NULL THEN 'pending' ELSE 'running' END,
             claimable_at, created_by, created_at, time_limit_ms, parent_step,
             parent_attempt, root, node, subject_kind, subject_key, item, cause,
             owner, CASE WHEN owner IS NULL THEN 0 ELSE 1 END, started_at, deadline_at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[],
                    ?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::text[],
                    ?::text[], ?::timestamptz[], ?::int8[], ?::text[], ?::int4[],
                    ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::timestamptz[], ?::text[], ?::timestamptz[], ?::timestamptz[])
          AS r (id, kind, definition_hash, provider, workflow, operation,
                application_id, application, resource_id, resource, resource_type,
                deployment_id, environment, team, parent_run_id, inputs,
                created_by, created_at, time_limit_ms, parent_step, parent_attempt,
                root, node, subject_kind, subject_key, item, cause,
                claimable_at, owner, started_at, deadline_at)
      """;

  /**
   * Runs that runs make have ids derived from what they are made for: one that is there stays as it
   * is. The ids of all others are new, so they do without the clause, which logs a confirmation of
   * 48 bytes for each row.
   */
  private static final String MADE_BY_RUNS = RUNS + "ON CONFLICT (id) DO NOTHING";

  private RunInsert() {}

  /**
   * Stores the runs. When the transaction has been committed, this replica executes those that it
   * has room for; the rest may be claimed by any replica, and all replicas are notified. Returns
   * the events about them, which the caller appends together with its own.
   */
  public static List<Event> insert(Handle handle, SecretBox box, List<NewRun> runs) {
    if (runs.isEmpty()) {
      return List.of();
    }
    BornClaimed born = BornClaimed.of(handle, runs);
    try {
      insert(handle.getConnection(), box, runs, born);
      born.begin(handle);
    } catch (RuntimeException e) {
      born.drop();
      throw e;
    }
    if (born.leaves(runs)) {
      Notifications.announce(handle, Topic.RUNS, "");
    }
    return CreatedRuns.events(runs);
  }

  /**
   * The same on a plain connection, for any replica to claim; the caller announces {@link
   * Topic#RUNS} after the commit.
   */
  static List<Event> insert(Connection connection, SecretBox box, List<NewRun> runs) {
    if (!runs.isEmpty()) {
      insert(connection, box, runs, BornClaimed.NONE);
    }
    return CreatedRuns.events(runs);
  }

  private static void insert(
      Connection connection, SecretBox box, List<NewRun> runs, BornClaimed born) {
    try {
      store(connection, box, runs, born);
      StepWrites.insert(connection, box, carried(runs));
    } catch (SQLException e) {
      throw new DatabaseException("cannot store new runs: " + e.getMessage(), e);
    }
  }

  /** Both statements in one message. */
  private static void store(
      Connection connection, SecretBox box, List<NewRun> runs, BornClaimed born)
      throws SQLException {
    DefinitionBodies bodies = DefinitionBodies.of(runs);
    Instant now = runs.getFirst().creation().at();
    String insertRuns =
        runs.stream().anyMatch(run -> run.kind().belongsToAnother()) ? MADE_BY_RUNS : RUNS;
    try (PreparedStatement insert = connection.prepareStatement(DEFINITIONS + ";" + insertRuns)) {
      Rows.bind(connection, insert, List.copyOf(bodies.texts().entrySet()))
          .text(Map.Entry::getKey)
          .text(Map.Entry::getValue)
          .time(row -> now)
          .then(runs)
          .column("uuid", NewRun::id)
          .text(r -> r.kind().text())
          .text(r -> bodies.hashes().get(r.definition()))
          .text(r -> r.definition().provider())
          .text(r -> r.definition().workflow().name())
          .text(NewRun::operation)
          .column("uuid", r -> r.subject().root() == null ? null : r.subject().root().id())
          .text(r -> RootColumn.text(r.subject().rootRef()))
          .column("uuid", r -> r.subject().nodeId())
          .text(r -> r.subject().nodeName())
          .text(r -> r.subject().nodeType())
          .column("uuid", r -> r.subject().request())
          .text(r -> r.tenancy().environment())
          .text(r -> r.tenancy().team())
          .column("uuid", r -> r.origin().parent())
          .sealed(box, r -> EncryptionContext.run(r.id()), r -> Trees.of(r.inputs()))
          .text(r -> r.creation().by())
          .time(r -> r.creation().at())
          .column("int8", r -> millis(r.timeLimit()))
          .text(r -> r.origin().calledBy() == null ? null : r.origin().calledBy().step())
          .column(
              "int4", r -> r.origin().calledBy() == null ? null : r.origin().calledBy().attempt())
          .text(r -> text(r.subject().root()))
          .text(r -> text(r.subject().node()))
          .text(key(NewRun.Key::kind))
          .text(key(NewRun.Key::key))
          .text(key(NewRun.Key::item))
          .text(key(NewRun.Key::cause))
          .time(born::claimableAt)
          .text(born::owner)
          .time(born::startedAt)
          .time(born::deadline);
      insert.execute();
    }
  }

  private static @Nullable String text(NewRun.@Nullable Part part) {
    return part == null || part.ref() == null ? null : part.ref().text();
  }

  /** A child or a rollback has the key of the run that made it, but reports to that run alone. */
  private static Function<NewRun, @Nullable String> key(
      Function<NewRun.Key, @Nullable String> part) {
    return run -> run.subject().key() == null ? null : part.apply(run.subject().key());
  }

  private static List<StepWrites.Row> carried(List<NewRun> runs) {
    List<StepWrites.Row> rows = new ArrayList<>();
    for (NewRun run : runs) {
      for (StepRecord step : run.origin().carried()) {
        rows.add(new StepWrites.Row(run.id(), step));
      }
    }
    return rows;
  }

  private static @Nullable Long millis(@Nullable Duration limit) {
    return limit == null ? null : limit.toMillis();
  }
}
