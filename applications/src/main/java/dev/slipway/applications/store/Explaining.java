package dev.slipway.applications.store;

import dev.slipway.applications.explain.Explain;
import dev.slipway.applications.explain.Explanation;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.postgres.health.NodeHealth;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads what an explanation needs. */
final class Explaining {
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

  private final Handle handle;

  Explaining(Handle handle) {
    this.handle = handle;
  }

  Explanation explain(Caller caller, Applications.Ref ref, Optional<String> only)
      throws SQLException {
    ApplicationRow row = Visibility.application(handle, caller, ref);
    KnownResources.Found found =
        KnownResources.seen(handle, row.id(), row.environment(), List.of());
    Map<UUID, KnownResource> byId = new HashMap<>();
    found.resources().forEach(r -> byId.put(r.id(), r));
    List<KnownResource> open = new ArrayList<>();
    for (KnownResource resource : found.resources()) {
      boolean concerns =
          found.names(row.id()).containsValue(resource.id())
              || resource.owner().equals(row.id()) && !resource.detached();
      boolean chosen = only.isEmpty() || only.get().equals(resource.name());
      if (concerns && chosen && !settled(resource)) {
        open.add(resource);
      }
    }
    if (only.isPresent()
        && found.resources().stream().noneMatch(r -> r.name().equals(only.get()))) {
      throw ApplicationContext.notFound("resource", ref.name() + "/" + only.get());
    }
    Map<UUID, Explain.Run> runs = runs(open);
    Map<NodeRef, Observation> known =
        NodeHealth.find(handle, open.stream().map(r -> node(row, r)).toList());
    return Explain.of(
        subject(row),
        open.stream()
            .map(r -> reason(r, Optional.ofNullable(known.get(node(row, r)))))
            .map(r -> facts(r.resource(), r.reason(), byId, runs))
            .toList());
  }

  private static NodeRef node(ApplicationRow row, KnownResource resource) {
    return new ApplicationNodes(row.environment())
        .resource(row.name(), resource.name(), resource.identity());
  }

  private record Explained(
      KnownResource resource, @Nullable Map<String, @Nullable Object> reason) {}

  /** What is recorded against it, with since when looks find it so. */
  private static Explained reason(KnownResource resource, Optional<Observation> known) {
    Map<String, @Nullable Object> reason = resource.reason();
    if (reason == null
        || known.isEmpty()
        || known.get().sample().health() == Health.HEALTHY
        || !known.get().sample().rule().equals(LookResults.READ)) {
      return new Explained(resource, reason);
    }
    Map<String, @Nullable Object> told = new LinkedHashMap<>(reason);
    told.put(
        "message",
        known.get().sample().health().text()
            + " since "
            + known.get().since()
            + ": "
            + reason.get("message"));
    return new Explained(resource, told);
  }

  private static boolean settled(KnownResource resource) {
    return resource.state() == ResourceState.DELETED
        || resource.state() == ResourceState.ACTIVE
            && resource.wanted()
            && resource.reason() == null;
  }

  private Explain.Subject subject(ApplicationRow row) {
    Optional<Explain.Gate> gate =
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
                    new Explain.Gate(
                        rs.getString("id"),
                        rs.getString("message"),
                        Columns.time(rs, "created_at"),
                        Columns.time(rs, "expires_at")))
            .findOne();
    return new Explain.Subject(
        row.name(), row.environment(), row.state().text(), gate, row.workloadHash() != null);
  }

  private static Explain.Facts facts(
      KnownResource resource,
      @Nullable Map<String, @Nullable Object> reason,
      Map<UUID, KnownResource> byId,
      Map<UUID, Explain.Run> runs) {
    Map<String, String> missing = new TreeMap<>();
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      KnownResource on = byId.get(dependency.on());
      if (dependency.wanted() && resource.wanted() && on != null && !on.ready()) {
        missing.put(on.name(), on.state().text());
      }
    }
    List<String> dependents =
        byId.values().stream()
            .filter(r -> r.state() != ResourceState.DELETED && !r.detached())
            .filter(r -> r.dependencies().stream().anyMatch(d -> d.on().equals(resource.id())))
            .map(KnownResource::name)
            .sorted()
            .toList();
    return new Explain.Facts(
        resource.name(),
        resource.id().toString(),
        resource.identity(),
        resource.state().text(),
        resource.since(),
        reason,
        missing,
        dependents,
        Optional.ofNullable(runs.get(resource.run())),
        resource.wanted());
  }

  private Map<UUID, Explain.Run> runs(List<KnownResource> open) {
    Map<UUID, Explain.Run> runs = new HashMap<>();
    handle
        .createQuery(RUNS)
        .bindByType(
            "ids",
            open.stream()
                .map(KnownResource::run)
                .filter(java.util.Objects::nonNull)
                .toArray(UUID[]::new),
            UUID[].class)
        .map((rs, _) -> Map.entry(rs.getObject("id", UUID.class), run(rs)))
        .forEach(entry -> runs.put(entry.getKey(), entry.getValue()));
    return runs;
  }

  private static Explain.Run run(ResultSet rs) throws SQLException {
    Optional<Explain.Step> step =
        rs.getString("step") == null
            ? Optional.empty()
            : Optional.of(
                new Explain.Step(
                    rs.getString("step"),
                    rs.getString("step_state"),
                    rs.getInt("attempt"),
                    rs.getString("waiting_for"),
                    Columns.timeOrNull(rs, "wake_at"),
                    Columns.timeOrNull(rs, "started_at"),
                    Columns.treeOrNull(rs, "error"),
                    rs.getString("approval")));
    return new Explain.Run(
        rs.getString("id"), rs.getString("workflow"), rs.getString("state"), step);
  }
}
