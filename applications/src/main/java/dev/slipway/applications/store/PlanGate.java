package dev.slipway.applications.store;

import dev.slipway.applications.score.Score;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.access.PlanApprovals;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Deployments that wait for an approval of their plan. A granted one is carried out when it would
 * still do exactly what was approved; otherwise it fails and says so.
 */
record PlanGate(ApplicationContext context, Deploying deploying) {
  private static final String NOT_ASKED =
      "its environment needs approvals by now, and none was asked for: deploy it again";
  private static final String MISSING =
      "there is no approval of exactly this plan any more: deploy it again to ask for one";

  private static final String LATE = "the approval expired before a decision";

  private static final String UNUSED =
      "it was approved more than an hour before it could begin: deploy it again";

  /** How long a grant may wait for the transaction that uses it. */
  private static final Duration GRANT = Duration.ofHours(1);

  /** The state of the approval of a waiting deployment. */
  private enum Consent implements State {
    /** Its environment needed none when it was requested. */
    NOT_ASKED,
    /** Its approval is gone, or is one of another plan. */
    MISSING,
    PENDING,
    GRANTED,
    REJECTED,
    EXPIRED,
    VOID
  }

  private record Pending(
      UUID deployment,
      int revision,
      DeployCommand.Kind kind,
      String planHash,
      Map<String, @Nullable Object> choices,
      String createdBy,
      @Nullable UUID approval,
      Consent consent,
      @Nullable Instant expiresAt,
      @Nullable Instant decidedAt) {
    boolean expired(Instant now) {
      return expiresAt != null && !expiresAt.isAfter(now);
    }
  }

  /**
   * The result for the waiting deployments.
   *
   * @param cancels runs to stop because a deployment was carried out
   * @param waitsUntil when the pending approval expires
   */
  record Passed(List<UUID> cancels, Optional<Instant> waitsUntil) {}

  /** Whether a deployment waits. */
  static boolean waits(Handle handle, UUID application) {
    return pending(handle, application).isPresent();
  }

  /** Looks at what waits. */
  Passed pass(Handle handle, ApplicationRow application, List<Event> events) throws SQLException {
    Optional<Pending> pending = pending(handle, application.id());
    if (pending.isEmpty()) {
      return new Passed(List.of(), Optional.empty());
    }
    Pending waiting = pending.get();
    boolean waits = waiting.consent() == Consent.PENDING && !waiting.expired(context.now());
    return waits
        ? new Passed(List.of(), Optional.ofNullable(waiting.expiresAt()))
        : new Passed(decided(handle, application, waiting, events), Optional.empty());
  }

  private List<UUID> decided(
      Handle handle, ApplicationRow application, Pending waiting, List<Event> events)
      throws SQLException {
    return switch (waiting.consent()) {
      case GRANTED ->
          stale(handle, application, waiting)
              ? close(handle, application, waiting, "approval-expired", UNUSED, events)
              : check(handle, application, waiting, events);
      case NOT_ASKED ->
          new Guard(context, handle).covers(application.environment())
              ? close(handle, application, waiting, "approval-missing", NOT_ASKED, events)
              : check(handle, application, waiting, events);
      case MISSING -> close(handle, application, waiting, "approval-missing", MISSING, events);
      case REJECTED ->
          close(
              handle,
              application,
              waiting,
              "approval-rejected",
              "the approval was refused",
              events);
      case EXPIRED, VOID -> close(handle, application, waiting, "approval-expired", LATE, events);
      case PENDING -> {
        expire(handle, application, waiting, events);
        yield close(handle, application, waiting, "approval-expired", LATE, events);
      }
    };
  }

  private static Optional<Pending> pending(Handle handle, UUID application) {
    return handle
        .createQuery(
            """
            SELECT d.id, d.revision, d.kind, d.plan_hash, d.choices, d.created_by, a.id AS approval,
                   CASE WHEN d.approval_id IS NULL THEN 'not-asked'
                        ELSE coalesce(a.state, 'missing') END AS state, a.expires_at,
                   coalesce(a.decided_at, a.created_at) AS decided_at
              FROM deployments d
              LEFT JOIN approvals a ON a.id = d.approval_id AND a.kind = 'plan'
                   AND a.deployment_id = d.id AND a.hash = d.plan_hash
             WHERE d.application_id = ? AND d.status = 'waiting'
             ORDER BY d.id DESC LIMIT 1
            """)
        .bind(0, application)
        .map(
            (rs, _) ->
                new Pending(
                    rs.getObject("id", UUID.class),
                    rs.getInt("revision"),
                    State.parse(DeployCommand.Kind.class, rs.getString("kind")),
                    rs.getString("plan_hash"),
                    Columns.tree(rs, "choices"),
                    rs.getString("created_by"),
                    rs.getObject("approval", UUID.class),
                    State.parse(Consent.class, rs.getString("state")),
                    Columns.timeOrNull(rs, "expires_at"),
                    Columns.timeOrNull(rs, "decided_at")))
        .findOne();
  }

  /** Granted too long ago, and not even the platform's own workflows have begun. */
  private boolean stale(Handle handle, ApplicationRow application, Pending waiting) {
    return waiting.decidedAt() != null
        && waiting.decidedAt().plus(GRANT).isBefore(context.now())
        && !handle
            .createQuery(
                "SELECT EXISTS (SELECT 1 FROM runs WHERE application_id = ? AND deployment_id = ?)")
            .bind(0, application.id())
            .bind(1, waiting.deployment())
            .mapTo(Boolean.class)
            .one();
  }

  /** The platform's own workflows come between the approval and the deployment. */
  private List<UUID> check(
      Handle handle, ApplicationRow application, Pending waiting, List<Event> events)
      throws SQLException {
    PlatformChecks.Outcome outcome =
        new PlatformChecks(context, handle)
            .advance(
                new PlatformChecks.Deployment(
                    waiting.deployment(),
                    waiting.revision(),
                    waiting.kind(),
                    waiting.createdBy(),
                    application),
                EnvironmentRow.find(handle, application.environment()).orElseThrow());
    return switch (outcome) {
      case PlatformChecks.Outcome.Passed() -> carryOut(handle, application, waiting, events);
      case PlatformChecks.Outcome.Running(List<Event> begun) -> {
        events.addAll(begun);
        yield List.of();
      }
      case PlatformChecks.Outcome.Failed(String code, String message) ->
          close(handle, application, waiting, code, message, events);
    };
  }

  private List<UUID> carryOut(
      Handle handle, ApplicationRow application, Pending waiting, List<Event> events)
      throws SQLException {
    DeployCommand.Choices choices =
        new DeployCommand.Choices(
            Set.copyOf(PlanTree.names(waiting.choices().get("replace"))),
            Set.copyOf(PlanTree.names(waiting.choices().get("orphan"))));
    Prepared prepared;
    try {
      prepared = prepare(handle, application, waiting, choices);
      // An approval is for one plan; a plan without approval is computed from the present state.
      Optional<String> approved =
          waiting.approval() == null ? Optional.empty() : Optional.of(waiting.planHash());
      Preparation.refuse(prepared, approved, Optional.empty());
    } catch (RefusedException e) {
      return close(handle, application, waiting, "stale-plan", e.refusal().message(), events);
    }
    handle.execute(
        "UPDATE deployments SET status = 'running', applied_at = ? WHERE id = ?",
        context.now(),
        waiting.deployment());
    return deploying
        .carryOut(
            handle,
            prepared,
            application,
            new DeploymentRecords.NewDeployment(
                waiting.deployment(),
                waiting.revision(),
                waiting.kind(),
                waiting.planHash(),
                choices),
            events)
        .cancels();
  }

  private Prepared prepare(
      Handle handle, ApplicationRow application, Pending waiting, DeployCommand.Choices choices)
      throws SQLException {
    Preparation preparation =
        new Preparation(
            context, handle, Caller.system(waiting.createdBy()), KnownResources.Lock.HELD);
    EnvironmentRow environment =
        EnvironmentRow.find(handle, application.environment()).orElseThrow();
    if (waiting.kind() == DeployCommand.Kind.TEARDOWN) {
      return preparation.teardown(application, environment, choices);
    }
    Score score = Specs.stored(context, handle, application.id(), waiting.revision());
    return preparation.deploy(
        new DeployCommand(
            score,
            List.of(),
            application.environment(),
            Optional.of(application.team()),
            Optional.empty(),
            choices,
            Optional.empty(),
            DeployCommand.Kind.DEPLOY));
  }

  private List<UUID> close(
      Handle handle,
      ApplicationRow application,
      Pending waiting,
      String code,
      String message,
      List<Event> events) {
    Map<String, Object> error = Map.of("code", code, "message", message);
    handle.execute(
        "UPDATE deployments SET status = 'failed', completed_at = ?, error = ?::json WHERE id = ?",
        context.now(),
        Json.write(error),
        waiting.deployment());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("deploymentId", waiting.deployment().toString());
    data.put("error", error);
    events.add(tell("deployment.failed", application, data));
    return List.of();
  }

  private void expire(
      Handle handle, ApplicationRow application, Pending waiting, List<Event> events) {
    UUID approval =
        Objects.requireNonNull(waiting.approval(), "only the row of an approval says 'pending'");
    PlanApprovals.expire(handle, approval, context.now());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("approvalId", approval.toString());
    data.put("deploymentId", waiting.deployment().toString());
    events.add(tell("approval.expired", application, data));
  }

  private Event tell(String type, ApplicationRow application, Map<String, Object> data) {
    return context.event(
        type, application.name(), application.environment(), application.team(), data);
  }
}
