package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.DeploymentStatus;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.access.PlanApprovals;
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

/** The rows of an application's deployments, and the approvals that they wait for. */
record DeploymentRecords(ApplicationContext context, Handle handle, Caller caller) {
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
    PlanApprovals.withdraw(handle, superseded, context.now());
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
        (applied == null ? DeploymentStatus.WAITING : DeploymentStatus.RUNNING).text(),
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
    PlanApprovals.ask(
        handle,
        new PlanApprovals.Asked(
            approval,
            deployment.id(),
            new ApplicationRefs(application.name(), application.environment()).application(),
            application.team(),
            deployment.planHash(),
            message,
            caller.user(),
            expires,
            context.now()),
        new PlanApprovals.Waiter(ApplicationKey.KIND, application.id().toString()));
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

  private Event tell(String type, ApplicationRow application, Map<String, Object> data) {
    return context.event(
        type, application.name(), application.environment(), application.team(), Values.map(data));
  }
}
