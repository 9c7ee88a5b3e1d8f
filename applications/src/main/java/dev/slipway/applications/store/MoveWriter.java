package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.RecordedIdentity;
import dev.slipway.applications.progress.Decision;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.RunContext;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.runs.RunInsert;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Writes a decision down: a few statements, whatever the number of resources. */
final class MoveWriter {
  private static final String REVIVE =
      """
      UPDATE resources
         SET state = 'requested', state_since = ?::timestamptz, incarnation = incarnation + 1,
             applied_params = NULL, applied_hash = NULL, attempted_params = NULL,
             attempted_hash = NULL, outputs = '{}', identifying = NULL, provider = NULL,
             health = 'Unknown',
             reason = NULL, ever_active = false, ever_started = false, delete_failed = false,
             replacing = false, run_id = NULL, gate_run = NULL, gate = NULL, version = version + 1, updated_at = ?::timestamptz
       WHERE id = ANY (?)
      """;

  private static final String TRANSIT =
      """
      UPDATE resources r
         SET state = t.state, state_since = t.at, reason = t.reason::jsonb,
             health = 'Unknown', delete_failed = false,
             version = r.version + 1, updated_at = t.at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::timestamptz[])
          AS t (id, state, reason, at)
       WHERE r.id = t.id
      """;

  private static final String START =
      """
      UPDATE resources r
         SET run_id = s.run, attempted_hash = s.hash,
             attempted_params = coalesce(s.params::jsonb, r.attempted_params),
             identifying = coalesce(s.identifying::jsonb, r.identifying),
             provider = s.provider, version = r.version + 1, updated_at = s.at,
             gate_run = s.run, gate = 'closed', gate_since = NULL, gate_look = NULL
        FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::timestamptz[])
          AS s (id, run, hash, params, identifying, provider, at)
       WHERE r.id = s.id
      """;

  private final ApplicationContext context;
  private final Handle handle;
  private final Connection connection;
  private final Situation situation;
  private final Instant now;
  private final Map<UUID, KnownResource> byId = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final List<UUID> cancels = new ArrayList<>();

  MoveWriter(ApplicationContext context, Handle handle, Situation situation) {
    this.context = context;
    this.handle = handle;
    this.connection = handle.getConnection();
    this.situation = situation;
    this.now = context.now();
    situation.resources().forEach(r -> byId.put(r.id(), r));
  }

  List<UUID> cancels() {
    return List.copyOf(cancels);
  }

  List<Event> write(List<Move> moves, List<Decision.Wait> waits) throws SQLException {
    List<UUID> revived = new ArrayList<>();
    List<History.Entry> history = new ArrayList<>();
    Map<UUID, Move.Transit> last = new LinkedHashMap<>();
    List<Move.Start> starts = new ArrayList<>();
    List<Move.Look> looks = new ArrayList<>();
    List<UUID> drops = new ArrayList<>();
    List<UUID> forgets = new ArrayList<>();
    List<Move.Complain> complaints = new ArrayList<>();
    for (Move move : moves) {
      switch (move) {
        case Move.Revive(UUID id) -> {
          revived.add(id);
          history.add(revival(resource(id)));
        }
        case Move.Transit transit -> {
          last.put(transit.resource(), transit);
          history.add(transition(transit, revived));
        }
        case Move.Start start -> starts.add(start);
        case Move.Look look -> looks.add(look);
        case Move.Judged _ -> {} // below
        case Move.Drop drop -> drops.add(drop.run());
        case Move.Cancel cancel -> cancels.add(cancel.run());
        case Move.Forget(UUID id) -> forgets.add(id);
        case Move.Complain complaint -> complaints.add(complaint);
        case Move.Bind bind -> bind(bind);
      }
    }
    onIds(REVIVE, revived, 2);
    transit(List.copyOf(last.values()));
    last.values().forEach(this::count);
    History.write(connection, history);
    events.addAll(DroppedRuns.drop(connection, context, drops));
    onIds(
        "DELETE FROM resource_dependencies WHERE NOT wanted AND resource_id = ANY (?)", forgets, 0);
    complain(complaints);
    start(starts, looks);
    remember(waits);
    GateWriter gates = new GateWriter(context, handle, situation, byId);
    gates.take(moves);
    gates.write();
    if (!cancels.isEmpty()) {
      // Asked to stop after the commit; should that get lost, this is where it is asked again.
      ApplicationKey.later(
          handle, situation.application(), now.plus(ApplicationReconciler.ASKED_AGAIN));
    }
    return events;
  }

  private KnownResource resource(UUID id) {
    return Objects.requireNonNull(byId.get(id), "moves are decided for resources of the situation");
  }

  private void onIds(String sql, List<UUID> ids, int times) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= times; i++) {
        statement.setString(i, now.toString());
      }
      statement.setArray(times + 1, connection.createArrayOf("uuid", ids.toArray()));
      statement.executeUpdate();
    }
  }

  private History.Entry revival(KnownResource resource) {
    tell(resource, ResourceState.REQUESTED, null);
    return new History.Entry(
        resource.id(),
        resource.incarnation() + 1,
        ResourceState.DELETED,
        ResourceState.REQUESTED,
        Actor.INTAKE,
        "same identity again",
        now);
  }

  private History.Entry transition(Move.Transit transit, List<UUID> revived) {
    KnownResource resource = resource(transit.resource());
    ResourceLifecycle.TABLE.check("resource " + resource.identity(), transit.from(), transit.to());
    tell(resource, transit.to(), transit);
    return new History.Entry(
        resource.id(),
        resource.incarnation() + (revived.contains(resource.id()) ? 1 : 0),
        transit.from(),
        transit.to(),
        transit.actor(),
        transit.why(),
        now);
  }

  private void tell(KnownResource resource, ResourceState to, Move.@Nullable Transit transit) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", resource.id().toString());
    data.put("resource", resource.name());
    data.put("identity", resource.identity());
    data.put("type", resource.type());
    data.put("from", transit == null ? "deleted" : transit.from().text());
    data.put("state", to.text());
    if (transit != null && transit.reason() != null) {
      data.put("error", transit.reason().tree());
    }
    events.add(
        context.event(
            "resource." + to.text(),
            situation.name(),
            situation.environment(),
            resource.team(),
            data));
  }

  private void transit(List<Move.Transit> transits) throws SQLException {
    if (transits.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(TRANSIT)) {
      Rows.bind(connection, update, transits)
          .column("uuid", Move.Transit::resource)
          .text(t -> t.to().text())
          .json(t -> t.reason() == null ? null : t.reason().tree())
          .time(t -> now);
      update.executeUpdate();
    }
  }

  private void count(Move.Transit transit) {
    if (transit.to() == ResourceState.FAILED && transit.reason() != null) {
      KnownResource resource = resource(transit.resource());
      context.failures().failed(resource.provider(), resource.type(), transit.reason().code());
    }
  }

  private void complain(List<Move.Complain> complaints) throws SQLException {
    if (complaints.isEmpty()) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE resources r SET reason = c.reason::jsonb, version = r.version + 1
              FROM unnest(?::uuid[], ?::text[]) AS c (id, reason) WHERE r.id = c.id
            """)) {
      Rows.bind(connection, update, complaints)
          .column("uuid", Move.Complain::resource)
          .json(c -> c.reason() == null ? null : c.reason().tree());
      update.executeUpdate();
    }
  }

  private void remember(List<Decision.Wait> waits) throws SQLException {
    if (waits.isEmpty()) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE resources r SET waits_for = w.neighbour
              FROM unnest(?::uuid[], ?::uuid[]) AS w (id, neighbour) WHERE r.id = w.id
            """)) {
      Rows.bind(connection, update, waits)
          .column("uuid", Decision.Wait::resource)
          .column("uuid", Decision.Wait::on);
      update.executeUpdate();
    }
  }

  private void bind(Move.Bind bind) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE applications SET workload = ?::json, workload_hash = ? WHERE id = ?")) {
      update.setString(
          1,
          Json.write(
              context
                  .box()
                  .bind(bind.workload(), SealedRows.application(situation.application()))));
      update.setString(2, bind.hash());
      update.setObject(3, situation.application());
      update.executeUpdate();
    }
  }

  private record Started(Move.Start move, NewRun run) {}

  /** Looks are quiet: they append no event. */
  private void start(List<Move.Start> starts, List<Move.Look> looks) throws SQLException {
    AdminConfig config = context.config().get();
    List<Started> started = starts.stream().map(s -> new Started(s, run(s, config))).toList();
    ReadRuns reads = new ReadRuns(context);
    List<NewRun> runs = new ArrayList<>(started.stream().map(Started::run).toList());
    looks.forEach(look -> runs.add(reads.ofGate(situation, look)));
    events.addAll(RunInsert.insert(handle, context.box(), runs));
    if (starts.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(START)) {
      Rows.bind(connection, update, started)
          .column("uuid", s -> s.move().resource().id())
          .column("uuid", s -> s.run().id())
          .text(s -> s.move().hash())
          .sealed(
              context.box(),
              s -> SealedRows.resource(s.move().resource().id()),
              s -> s.move().operation() == Operation.DELETE ? null : s.move().params())
          .sealed(
              context.box(),
              s -> SealedRows.resource(s.move().resource().id()),
              s -> identifying(s.move()))
          .text(s -> s.move().definition().provider())
          .time(s -> now);
      update.executeUpdate();
    }
    starts.stream()
        .filter(s -> s.operation() == Operation.CREATE)
        .forEach(s -> events.add(resolved(s)));
  }

  private static @Nullable Map<String, @Nullable Object> identifying(Move.Start start) {
    return start.operation() == Operation.CREATE
        ? RecordedIdentity.of(start.definition().workflow(), start.parameters())
        : null;
  }

  private Event resolved(Move.Start start) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", start.resource().id().toString());
    data.put("resource", start.resource().name());
    data.put("identity", start.resource().identity());
    data.put("type", start.resource().type());
    data.put("provider", start.definition().provider());
    data.put("workflow", start.definition().workflow().name());
    return context.event(
        "provider.resolved",
        situation.name(),
        situation.environment(),
        start.resource().team(),
        data);
  }

  private NewRun run(Move.Start start, AdminConfig config) {
    KnownResource resource = start.resource();
    UUID id = context.ids().get();
    String user = situation.deployment() == null ? "slipway" : situation.deployment().createdBy();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        start.definition(),
        start.operation().text(),
        new RunSubject(
                new ApplicationRefs(situation.name(), situation.environment()),
                situation.application())
            .of(
                resource,
                situation.deployment() == null ? null : situation.deployment().id(),
                start.operation().text()),
        new NewRun.Tenancy(situation.environment(), resource.team()),
        NewRun.Origin.NONE,
        new NewRun.Inputs(
            start.parameters(),
            RunContext.of(situation, start, id, user, config),
            start.operation() == Operation.CREATE ? Map.of() : resource.outputs()),
        new NewRun.Creation(user, now),
        config.workflowPolicies().maxWorkflowDuration());
  }
}
