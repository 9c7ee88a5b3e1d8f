package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs inside the transaction of whoever wants them, so that they exist exactly when the
 * reason for them does.
 */
public final class RunInsert {
  private RunInsert() {}

  /**
   * Stores the runs; replicas may claim them when the transaction has been committed, and hear of
   * them then. Returns the events about them, which the caller appends together with its own.
   */
  public static List<Event> insert(Handle handle, SecretBox box, List<NewRun> runs) {
    if (!runs.isEmpty()) {
      Notifications.announce(handle, Topic.RUNS, "");
    }
    return insert(handle.getConnection(), box, runs);
  }

  /** The same on a plain connection; the caller announces {@link Topic#RUNS} after the commit. */
  static List<Event> insert(Connection connection, SecretBox box, List<NewRun> runs) {
    if (runs.isEmpty()) {
      return List.of();
    }
    try {
      Map<Resolution.Definition, String> hashes = definitions(connection, runs);
      runs(connection, box, runs, hashes);
      StepWrites.upsert(connection, box, carried(runs));
    } catch (SQLException e) {
      throw new DatabaseException("cannot store new runs: " + e.getMessage(), e);
    }
    return runs.stream().map(RunInsert::created).toList();
  }

  private static Map<Resolution.Definition, String> definitions(
      Connection connection, List<NewRun> runs) throws SQLException {
    Map<Resolution.Definition, String> hashes = new IdentityHashMap<>();
    Map<String, String> bodies = new TreeMap<>(); // in one order, so that two inserts cannot cross
    for (NewRun run : runs) {
      if (!hashes.containsKey(run.definition())) {
        String body = body(run.definition());
        String hash = sha256(body);
        hashes.put(run.definition(), hash);
        bodies.put(hash, body);
      }
    }
    Instant now = runs.getFirst().createdAt();
    List<Map.Entry<String, String>> rows = List.copyOf(bodies.entrySet());
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO definitions (hash, body, created_at)
            SELECT d.hash, d.body::json, d.at
              FROM unnest(?::text[], ?::text[], ?::timestamptz[]) AS d (hash, body, at)
             WHERE NOT EXISTS (SELECT 1 FROM definitions known WHERE known.hash = d.hash)
            ON CONFLICT DO NOTHING
            """)) {
      Rows.bind(connection, insert, rows)
          .text(Map.Entry::getKey)
          .text(Map.Entry::getValue)
          .time(row -> now);
      insert.executeUpdate();
    }
    return hashes;
  }

  static String body(Resolution.Definition definition) {
    return Json.write(Trees.of(DefinitionSnapshot.of(definition)));
  }

  private static void runs(
      Connection connection,
      SecretBox box,
      List<NewRun> runs,
      Map<Resolution.Definition, String> hashes)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO runs (id, kind, definition_hash, provider, workflow, operation,
                              application_id, application, resource_id, resource, resource_type,
                              deployment_id, environment, team, parent_run_id, inputs, state,
                              claimable_at, created_by, created_at, time_limit_ms,
                              parent_step, parent_attempt)
            SELECT id, kind, definition_hash, provider, workflow, operation,
                   application_id, application, resource_id, resource, resource_type,
                   deployment_id, environment, team, parent_run_id, inputs::json, 'pending',
                   created_at, created_by, created_at, time_limit_ms, parent_step, parent_attempt
              FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                          ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[],
                          ?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::text[],
                          ?::text[], ?::timestamptz[], ?::int8[], ?::text[], ?::int4[])
                AS r (id, kind, definition_hash, provider, workflow, operation,
                      application_id, application, resource_id, resource, resource_type,
                      deployment_id, environment, team, parent_run_id, inputs,
                      created_by, created_at, time_limit_ms, parent_step, parent_attempt)
            ON CONFLICT (id) DO NOTHING
            """)) {
      Rows.bind(connection, insert, runs)
          .column("uuid", NewRun::id)
          .text(r -> r.kind().text())
          .text(r -> hashes.get(r.definition()))
          .text(r -> r.definition().provider())
          .text(r -> r.definition().workflow().name())
          .text(NewRun::operation)
          .column("uuid", r -> r.subject().application())
          .text(r -> r.subject().applicationName())
          .column("uuid", r -> r.subject().resource())
          .text(r -> r.subject().resourceName())
          .text(r -> r.subject().resourceType())
          .column("uuid", r -> r.subject().deployment())
          .text(NewRun::environment)
          .text(NewRun::team)
          .column("uuid", NewRun::parent)
          .sealed(box, r -> EncryptionContext.run(r.id()), r -> Trees.of(r.inputs()))
          .text(NewRun::createdBy)
          .time(NewRun::createdAt)
          .column("int8", r -> millis(r.timeLimit()))
          .text(r -> r.calledBy() == null ? null : r.calledBy().step())
          .column("int4", r -> r.calledBy() == null ? null : r.calledBy().attempt());
      insert.executeUpdate();
    }
  }

  private static List<StepWrites.Row> carried(List<NewRun> runs) {
    List<StepWrites.Row> rows = new ArrayList<>();
    for (NewRun run : runs) {
      for (StepRecord step : run.carried()) {
        rows.add(new StepWrites.Row(run.id(), step));
      }
    }
    return rows;
  }

  private static Event created(NewRun run) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", run.id().toString());
    data.put("provider", run.definition().provider());
    data.put("workflow", run.definition().workflow().name());
    if (run.operation() != null) {
      data.put("operation", run.operation());
    }
    if (run.subject().resource() != null) {
      data.put("resourceId", run.subject().resource().toString());
      data.put("resource", run.subject().resourceName());
    }
    if (run.parent() != null) {
      data.put("parentRunId", run.parent().toString());
    }
    if (run.kind().belongsToAnother()) {
      data.put("kind", run.kind().text());
    }
    if (run.calledBy() != null) {
      data.put("parentStep", run.calledBy().step());
    }
    return new Event(
        "workflow.created",
        run.subject().applicationName(),
        run.environment(),
        run.team(),
        "engine",
        run.createdAt(),
        data);
  }

  private static @Nullable Long millis(@Nullable Duration limit) {
    return limit == null ? null : limit.toMillis();
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
