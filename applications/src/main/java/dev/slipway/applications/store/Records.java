package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.GraphText;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The rows around an application: environment, revision, plan, deployment, approval. */
record Records(ApplicationContext context, Handle handle, Caller caller) {
  /** A deployment to be written. */
  record NewDeployment(
      UUID id,
      int revision,
      DeployCommand.Kind kind,
      String planHash,
      DeployCommand.Choices choices) {}

  /** A deployment that waits for an approval. */
  record Waiting(UUID id, int revision, String planHash, @Nullable UUID approval) {}

  Optional<Waiting> waiting(UUID application) {
    return handle
        .createQuery(
            "SELECT id, revision, plan_hash, approval_id FROM deployments"
                + " WHERE application_id = ? AND status = 'waiting' ORDER BY id DESC LIMIT 1")
        .bind(0, application)
        .map(
            (rs, _) ->
                new Waiting(
                    rs.getObject("id", UUID.class),
                    rs.getInt("revision"),
                    rs.getString("plan_hash"),
                    rs.getObject("approval_id", UUID.class)))
        .findOne();
  }

  /**
   * Fails on a row that another transaction made meanwhile: the whole request is tried again and
   * meets that row's team and protection.
   */
  void environment(EnvironmentRow row) {
    handle.execute(
        "INSERT INTO environments (name, team, type, ttl, expires_at, created_at, updated_at)"
            + " VALUES (?, ?, ?, make_interval(secs => ?), ?, ?, ?)",
        row.name(),
        row.team(),
        row.type(),
        row.ttl() == null ? null : row.ttl().toMillis() / 1000.0,
        row.expiresAt(),
        row.createdAt(),
        row.updatedAt());
  }

  /** The application's row, made or brought back to life; its revision is still the old one. */
  ApplicationRow application(Prepared prepared) {
    Instant now = context.now();
    if (prepared.existing().isEmpty()) {
      handle.execute(
          "INSERT INTO applications (id, environment, name, team, revision, state, created_by,"
              + " created_at, updated_at, resource_count, active_count)"
              + " VALUES (?, ?, ?, ?, 0, 'requested', ?, ?, ?, 0, 0)",
          prepared.id(),
          prepared.environment().name(),
          prepared.wanted().application(),
          prepared.team(),
          caller.user(),
          now,
          now);
    } else if (!prepared.living()) {
      handle.execute(
          "UPDATE applications SET deleted_at = NULL, state = 'requested', updated_at = ?"
              + " WHERE id = ?",
          now,
          prepared.id());
    }
    return ApplicationRow.lock(handle, prepared.id()).orElseThrow();
  }

  int revision(ApplicationRow application, Prepared prepared) {
    int revision =
        handle
            .createQuery(
                "SELECT coalesce(max(revision), 0) + 1 FROM revisions WHERE application_id = ?")
            .bind(0, application.id())
            .mapTo(Integer.class)
            .one();
    EncryptionContext row = SealedRows.revision(application.id(), revision);
    handle.execute(
        "INSERT INTO revisions (application_id, revision, spec, spec_hash, workload, graph,"
            + " plan_hash, created_by, created_at)"
            + " VALUES (?, ?, ?::json, ?, ?::json, ?::json, ?, ?, ?)",
        application.id(),
        revision,
        Json.write(context.box().bind(prepared.wanted().spec(), row)),
        context.fingerprint().of(prepared.wanted().spec()),
        Json.write(context.box().bind(prepared.wanted().workload(), row)),
        Json.write(GraphText.tree(GraphShapes.of(prepared, revision))),
        prepared.planned().plan().hash(),
        caller.user(),
        context.now());
    return revision;
  }

  void plan(Plan plan, String team) {
    handle.execute(
        "INSERT INTO plans (hash, environment, application, team, body, created_by, created_at)"
            + " VALUES (?, ?, ?, ?, ?::json, ?, ?)"
            // Young again, and locked: retention does not remove it before this commits.
            + " ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at"
            + " WHERE plans.created_at < excluded.created_at - interval '1 hour'",
        plan.hash(),
        plan.environment(),
        plan.application(),
        team,
        Json.write(PlanTree.of(plan)),
        caller.user(),
        context.now());
  }

  /** Whatever was on its way gives way to what comes now. */
  List<Event> supersede(ApplicationRow application) {
    List<UUID> superseded =
        handle
            .createQuery(
                "UPDATE deployments SET status = 'superseded', completed_at = ?"
                    + " WHERE application_id = ? AND status IN ('waiting', 'running')"
                    + " RETURNING id")
            .bind(0, context.now())
            .bind(1, application.id())
            .mapTo(UUID.class)
            .list();
    if (superseded.isEmpty()) {
      return List.of();
    }
    handle
        .createUpdate(
            "UPDATE approvals SET state = 'void', decided_at = :now"
                + " WHERE kind = 'plan' AND state = 'pending' AND deployment_id = ANY (:ids)")
        .bind("now", context.now())
        .bindByType("ids", superseded.toArray(UUID[]::new), UUID[].class)
        .execute();
    List<Event> events = new ArrayList<>();
    for (UUID id : superseded) {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("deploymentId", id.toString());
      data.put("error", Map.of("code", "superseded", "message", "a newer request took its place"));
      events.add(tell("deployment.failed", application, data));
    }
    return events;
  }

  void deployment(ApplicationRow application, NewDeployment deployment, @Nullable Instant applied) {
    handle.execute(
        "INSERT INTO deployments (id, application_id, revision, kind, status, plan_hash, choices,"
            + " created_by, created_at, applied_at) VALUES (?, ?, ?, ?, ?, ?, ?::json, ?, ?, ?)",
        deployment.id(),
        application.id(),
        deployment.revision(),
        deployment.kind().text(),
        applied == null ? "waiting" : "running",
        deployment.planHash(),
        Json.write(
            Map.of(
                "replace", List.copyOf(deployment.choices().replace()),
                "orphan", List.copyOf(deployment.choices().orphan()))),
        caller.user(),
        context.now(),
        applied);
  }

  /** Nothing is done before another person has approved exactly this plan. */
  List<Event> waitFor(
      ApplicationRow application, NewDeployment deployment, UUID approval, Duration patience)
      throws SQLException {
    deployment(application, deployment, null);
    String message =
        deployment.kind() == DeployCommand.Kind.TEARDOWN
            ? "tear down " + application.name() + " in " + application.environment()
            : "deploy revision "
                + deployment.revision()
                + " of "
                + application.name()
                + " to "
                + application.environment();
    Instant expires = context.now().plus(patience);
    handle.execute(
        "INSERT INTO approvals (id, kind, deployment_id, application, environment, team, hash,"
            + " message, requested_by, state, expires_at, created_at, wake_kind, wake_key)"
            + " VALUES (?, 'plan', ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)",
        approval,
        deployment.id(),
        application.name(),
        application.environment(),
        application.team(),
        deployment.planHash(),
        message,
        caller.user(),
        expires,
        context.now(),
        ApplicationKey.KIND,
        application.id().toString());
    handle.execute(
        "UPDATE deployments SET approval_id = ? WHERE id = ?", approval, deployment.id());
    ApplicationKey.later(handle, application.id(), expires);
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("approvalId", approval.toString());
    data.put("deploymentId", deployment.id().toString());
    data.put("planHash", deployment.planHash());
    data.put("message", message);
    return List.of(tell("approval.requested", application, data));
  }

  /** The revision that is made real from now on. */
  static ApplicationRow inForce(
      Handle handle, ApplicationRow application, int revision, Instant now) {
    handle.execute(
        "UPDATE applications SET revision = ?, version = version + 1, updated_at = ? WHERE id = ?",
        revision,
        now,
        application.id());
    return ApplicationRow.lock(handle, application.id()).orElseThrow();
  }

  /** A teardown that is asked for again tries again what failed. */
  static void retryDeletions(Handle handle, UUID application) {
    handle.execute(
        "UPDATE resources SET attempted_hash = NULL, reason = NULL"
            + " WHERE owner_id = ? AND NOT wanted AND state = ?",
        application,
        ResourceState.FAILED.text());
  }

  private Event tell(String type, ApplicationRow application, Map<String, Object> data) {
    return context.event(
        type, application.name(), application.environment(), application.team(), Values.map(data));
  }
}
