package dev.slipway.applications.store;

import dev.slipway.applications.explain.Explain;
import dev.slipway.applications.explain.Explanation;
import dev.slipway.applications.explain.Facts;
import dev.slipway.applications.explain.Gated;
import dev.slipway.applications.explain.Subject;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ResourceGate;
import dev.slipway.applications.plan.ResourceHealth;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.health.Verdict;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads what an explanation needs. */
record Explaining(Handle handle, Instant now) {
  private static final String RUNS =
      """
      SELECT run.id, run.workflow, run.state, s.name AS step, s.state AS step_state, s.attempt,
             s.waiting_for, s.wake_at, s.started_at, s.error, p.id AS approval
        FROM runs run
        LEFT JOIN LATERAL (
          SELECT * FROM steps WHERE run_id = run.id
             AND (state IN ('running', 'waiting', 'failed') OR wake_at IS NOT NULL)
           ORDER BY CASE state WHEN 'waiting' THEN 0 WHEN 'failed' THEN 1 ELSE 2 END,
                    started_at DESC NULLS LAST LIMIT 1) AS s ON true
        LEFT JOIN approvals p ON p.run_id = run.id AND p.step = s.name AND p.state = 'pending'
       WHERE run.id = ANY (:ids)
      """;

  Explanation explain(Caller caller, Applications.Ref ref, Optional<String> only)
      throws SQLException {
    ApplicationRow row = Visibility.application(handle, caller, ref);
    KnownResources.Found found =
        KnownResources.seen(handle, row.id(), row.environment(), List.of());
    ResourceNeighbours neighbours = ResourceNeighbours.of(found.resources());
    Set<UUID> used = Set.copyOf(found.names(row.id()).values());
    if (only.isPresent()
        && found.resources().stream().noneMatch(r -> r.name().equals(only.get()))) {
      throw ApplicationContext.notFound("resource", ref.name() + "/" + only.get());
    }
    Explain.Scope scope = only.isPresent() ? Explain.Scope.RESOURCE : Explain.Scope.APPLICATION;
    List<Open> open = new ArrayList<>();
    for (KnownResource resource : found.resources()) {
      boolean concerns =
          used.contains(resource.id()) || resource.owner().equals(row.id()) && !resource.detached();
      boolean chosen = only.isEmpty() || only.get().equals(resource.name());
      if (concerns && chosen) {
        Facts facts = facts(resource, neighbours);
        if (!Explain.settled(facts, scope)) {
          open.add(new Open(resource.run(), facts));
        }
      }
    }
    Map<UUID, Facts.Run> runs = runs(open);
    return Explain.of(
        subject(row),
        open.stream().map(o -> o.facts().with(Optional.ofNullable(runs.get(o.run())))).toList());
  }

  private record Open(@Nullable UUID run, Facts facts) {}

  private Subject subject(ApplicationRow row) {
    Optional<Subject.PendingApproval> approval =
        handle
            .createQuery(
                """
                SELECT a.id, a.message, a.created_at, a.expires_at
                  FROM deployments d JOIN approvals a ON a.id = d.approval_id
                 WHERE d.application_id = ? AND d.status = 'waiting' AND a.state = 'pending'
                """)
            .bind(0, row.id())
            .map(
                (rs, _) ->
                    new Subject.PendingApproval(
                        rs.getString("id"),
                        rs.getString("message"),
                        Columns.time(rs, "created_at"),
                        Columns.time(rs, "expires_at")))
            .findOne();
    return new Subject(
        row.name(), row.environment(), row.state(), approval, row.workloadHash() != null);
  }

  /** About one resource; what it waits for is found among its neighbours. */
  Facts facts(KnownResource resource, ResourceNeighbours neighbours) {
    Map<String, Facts.Needed> missing = new TreeMap<>();
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      if (dependency.wanted() && resource.wanted()) {
        neighbours
            .find(dependency.on())
            .filter(on -> !on.ready())
            .ifPresent(on -> missing.put(on.name(), new Facts.Needed(on.state(), gate(on))));
      }
    }
    return new Facts(
        resource.name(),
        resource.id().toString(),
        resource.identity(),
        resource.state(),
        resource.since(),
        resource.reason(),
        missing,
        neighbours.dependents(resource.id()),
        Optional.empty(),
        resource.wanted(),
        resource.health().observed(),
        gate(resource));
  }

  /** Of what is there: the gate of what is still worked on says nothing. */
  private Optional<Gated> gate(KnownResource resource) {
    ResourceHealth health = resource.health();
    if (!resource.gated()) {
      return Optional.empty();
    }
    Verdict verdict = ResourceGate.judge(resource, health.observed(), now);
    return verdict instanceof Verdict.Open
        ? Optional.empty()
        : Optional.of(new Gated(verdict, health.gate().map(GateRecord::since), health.observed()));
  }

  private Map<UUID, Facts.Run> runs(List<Open> open) {
    Map<UUID, Facts.Run> runs = new HashMap<>();
    handle
        .createQuery(RUNS)
        .bindByType(
            "ids",
            open.stream().map(Open::run).filter(Objects::nonNull).toArray(UUID[]::new),
            UUID[].class)
        .map((rs, _) -> Map.entry(rs.getObject("id", UUID.class), run(rs)))
        .forEach(entry -> runs.put(entry.getKey(), entry.getValue()));
    return runs;
  }

  private static Facts.Run run(ResultSet rs) throws SQLException {
    Optional<Facts.Step> step =
        rs.getString("step") == null
            ? Optional.empty()
            : Optional.of(
                new Facts.Step(
                    rs.getString("step"),
                    State.parse(StepState.class, rs.getString("step_state")),
                    rs.getInt("attempt"),
                    rs.getString("waiting_for"),
                    Columns.timeOrNull(rs, "wake_at"),
                    Columns.timeOrNull(rs, "started_at"),
                    Columns.treeOrNull(rs, "error"),
                    rs.getString("approval")));
    return new Facts.Run(
        rs.getString("id"),
        rs.getString("workflow"),
        State.parse(RunState.class, rs.getString("state")),
        step);
  }
}
