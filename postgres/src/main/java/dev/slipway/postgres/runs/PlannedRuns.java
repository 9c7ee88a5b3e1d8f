package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Step;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Runs of golden paths in protected environments. Such a run does not exist before its plan is
 * approved: what it will be made of is kept with the approval, and the vote that grants the
 * approval takes it from there and makes the run in the same transaction, exactly once.
 */
public record PlannedRuns(Jdbi jdbi, SecretBox box, Supplier<UUID> ids) {
  private static final Duration APPROVAL_TIME = Duration.ofHours(72);

  /** A run that waits, and the hash of what is approved. */
  public record Waiting(UUID run, UUID approval, String hash) {}

  /** Asks for the approval of a run; a caller who asks again for the same gets the same answer. */
  public Waiting ask(NewRun run) {
    String definition = DefinitionBodies.body(run.definition());
    String hash = hash(run, definition);
    return jdbi.inTransaction(
        h -> {
          Optional<Waiting> asked = pending(h, run, hash);
          if (asked.isPresent()) {
            return asked.get();
          }
          Waiting waiting = new Waiting(run.id(), ids.get(), hash);
          insertApproval(h, run, waiting);
          insert(h, run, waiting, definition);
          EventLog.append(h, List.of(requested(run, waiting)));
          return waiting;
        });
  }

  private String hash(NewRun run, String definition) {
    Map<String, @Nullable Object> plan = new LinkedHashMap<>();
    plan.put("definition", Sha256.hex(definition));
    plan.put("environment", run.tenancy().environment());
    plan.put("team", run.tenancy().team());
    plan.put("parameters", run.inputs().parameters());
    plan.put("spec", run.inputs().context().get("spec"));
    return new Fingerprint(box).of(plan);
  }

  private static Optional<Waiting> pending(Handle handle, NewRun run, String hash) {
    return handle
        .createQuery(
            """
            SELECT p.run_id, p.approval_id FROM planned_runs p
              JOIN approvals a ON a.id = p.approval_id
             WHERE a.state = 'pending' AND a.expires_at > :now AND a.hash = :hash
               AND a.requested_by = :user
             ORDER BY a.created_at LIMIT 1
            """)
        .bind("now", run.creation().at())
        .bind("hash", hash)
        .bind("user", run.creation().by())
        .map(
            (rs, _) ->
                new Waiting(
                    rs.getObject("run_id", UUID.class),
                    rs.getObject("approval_id", UUID.class),
                    hash))
        .findOne();
  }

  private static void insertApproval(Handle handle, NewRun run, Waiting waiting) {
    handle
        .createUpdate(
            """
            INSERT INTO approvals (id, kind, run_id, environment, team, hash, message,
                                   requested_by, state, expires_at, created_at)
            VALUES (:id, 'plan', :run, :environment, :team, :hash, :message,
                    :user, 'pending', :expires, :now)
            """)
        .bind("id", waiting.approval())
        .bind("run", run.id())
        .bind("environment", run.tenancy().environment())
        .bind("team", run.tenancy().team())
        .bind("hash", waiting.hash())
        .bind("message", message(run))
        .bind("user", run.creation().by())
        .bind("expires", run.creation().at().plus(APPROVAL_TIME))
        .bind("now", run.creation().at())
        .execute();
  }

  private static String message(NewRun run) {
    return "golden path '"
        + run.inputs().context().get("goldenPath")
        + "' of provider '"
        + run.definition().provider()
        + "' in environment '"
        + run.tenancy().environment()
        + "'";
  }

  private void insert(Handle handle, NewRun run, Waiting waiting, String definition) {
    EncryptionContext row = EncryptionContext.run(run.id());
    handle
        .createUpdate(
            """
            INSERT INTO planned_runs (approval_id, run_id, summary, definition_hash, definition,
                                      provider, workflow, inputs, time_limit_ms)
            VALUES (:approval, :run, CAST(:summary AS json), :hash, CAST(:definition AS json),
                    :provider, :workflow, CAST(:inputs AS json), :limit)
            """)
        .bind("approval", waiting.approval())
        .bind("run", run.id())
        .bind("summary", Json.write(summary(run)))
        .bind("hash", Sha256.hex(definition))
        .bind("definition", definition)
        .bind("provider", run.definition().provider())
        .bind("workflow", run.definition().workflow().name())
        .bind("inputs", Json.write(box.bind(Trees.of(run.inputs()), row)))
        .bindByType(
            "limit", run.timeLimit() == null ? null : run.timeLimit().toMillis(), Long.class)
        .execute();
  }

  private static Map<String, @Nullable Object> summary(NewRun run) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    out.put("goldenPath", run.inputs().context().get("goldenPath"));
    out.put("provider", run.definition().provider());
    out.put("workflow", run.definition().workflow().name());
    out.put("parameters", Values.masked(run.inputs().parameters()));
    Object spec = run.inputs().context().get("spec");
    if (spec != null) {
      out.put("spec", Values.masked(spec));
    }
    out.put("steps", run.definition().workflow().steps().stream().map(Step::name).toList());
    return out;
  }

  private static Event requested(NewRun run, Waiting waiting) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("approvalId", waiting.approval().toString());
    data.put("runId", run.id().toString());
    data.put("message", message(run));
    data.put("planHash", waiting.hash());
    return new Event(
        "approval.requested",
        null,
        run.tenancy().environment(),
        run.tenancy().team(),
        "engine",
        run.creation().at(),
        data);
  }

  /** What an approver is asked about; empty when the approval is of something else, or decided. */
  public Optional<Map<String, Object>> summary(UUID approval) {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT summary FROM planned_runs WHERE approval_id = ?")
                .bind(0, approval)
                .mapTo(String.class)
                .findOne()
                .map(Json::readMap));
  }

  /** Makes the run of an approval in the transaction that grants it; answers the event about it. */
  public static Optional<Event> start(Handle handle, UUID approval, Instant now) {
    handle.execute(
        """
        INSERT INTO definitions (hash, body, created_at)
        SELECT definition_hash, definition, ? FROM planned_runs WHERE approval_id = ?
        ON CONFLICT DO NOTHING
        """,
        now,
        approval);
    Optional<Event> made =
        handle
            .createQuery(
                """
                WITH plan AS (DELETE FROM planned_runs WHERE approval_id = :approval RETURNING *)
                INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,
                                  inputs, state, claimable_at, created_by, created_at,
                                  time_limit_ms)
                SELECT p.run_id, 'golden-path', p.definition_hash, p.provider, p.workflow,
                       a.environment, a.team, p.inputs, 'pending', :now, a.requested_by, :now,
                       p.time_limit_ms
                  FROM plan p JOIN approvals a ON a.id = p.approval_id
                RETURNING id, provider, workflow, environment, team
                """)
            .bind("approval", approval)
            .bind("now", now)
            .map(
                (rs, _) ->
                    created(
                        Map.of(
                            "runId", rs.getString("id"),
                            "provider", rs.getString("provider"),
                            "workflow", rs.getString("workflow"),
                            "approvalId", approval.toString()),
                        rs.getString("environment"),
                        rs.getString("team"),
                        now))
            .findOne();
    made.ifPresent(_ -> Notifications.announce(handle, Topic.RUNS, ""));
    return made;
  }

  private static Event created(
      Map<String, Object> data, String environment, String team, Instant now) {
    return new Event("workflow.created", null, environment, team, "engine", now, data);
  }

  /** The approval was refused, so the run will never be made. */
  public static void drop(Handle handle, UUID approval) {
    handle.execute("DELETE FROM planned_runs WHERE approval_id = ?", approval);
  }

  /** Ends questions that no approver answered in time, and forgets what they were about. */
  public int expire(Instant now) {
    return jdbi.inTransaction(
        h -> {
          List<Event> late =
              h.createQuery(
                      """
                      UPDATE approvals SET state = 'expired', decided_at = :now
                       WHERE id IN (SELECT a.id FROM approvals a
                                      JOIN planned_runs p ON p.approval_id = a.id
                                     WHERE a.state = 'pending' AND a.expires_at <= :now
                                     ORDER BY a.id LIMIT 1000 FOR UPDATE OF a SKIP LOCKED)
                      RETURNING id, run_id, environment, team
                      """)
                  .bind("now", now)
                  .map(
                      (rs, _) ->
                          new Event(
                              "approval.expired",
                              null,
                              rs.getString("environment"),
                              rs.getString("team"),
                              "engine",
                              now,
                              Map.of(
                                  "approvalId", rs.getString("id"),
                                  "runId", rs.getString("run_id"))))
                  .list();
          late.forEach(
              event -> drop(h, UUID.fromString(String.valueOf(event.data().get("approvalId")))));
          EventLog.append(h, late);
          return late.size();
        });
  }

  /** Whether the run, or the one that it retries, was made by a plan whose approval is there. */
  public boolean approved(UUID run) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    WITH RECURSIVE tries AS (
                      SELECT id, parent_run_id, team FROM runs WHERE id = :run
                      UNION
                      SELECT r.id, r.parent_run_id, r.team FROM runs r
                        JOIN tries t ON t.parent_run_id = r.id)
                    SELECT EXISTS (SELECT 1 FROM tries t JOIN approvals a ON a.run_id = t.id
                                    WHERE a.kind = 'plan' AND a.state = 'granted'
                                      AND a.team = t.team)
                    """)
                .bind("run", run)
                .mapTo(Boolean.class)
                .one());
  }
}
