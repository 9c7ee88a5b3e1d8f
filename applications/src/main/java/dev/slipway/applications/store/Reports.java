package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ReportedState;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.observe.CorrectionPause;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.events.EventLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Applies what runs report to the resources that they work on, in a transaction that holds those
 * rows. A run moves its resource while it is in charge of it and its report was not applied yet, so
 * that applying again changes nothing.
 */
final class Reports {
  private static final String UPDATE =
      """
      UPDATE resources r
         SET state = m.state,
             state_since = CASE WHEN m.state = r.state THEN r.state_since ELSE m.at END,
             health = 'Unknown',
             reason = CASE WHEN m.state = r.state THEN coalesce(m.reason::jsonb, r.reason)
                           ELSE m.reason::jsonb END,
             outputs = coalesce(m.outputs::jsonb, r.outputs),
             applied_params = CASE WHEN m.applied THEN r.attempted_params
                                   ELSE r.applied_params END,
             applied_hash = CASE WHEN m.applied THEN r.attempted_hash ELSE r.applied_hash END,
             ever_started = r.ever_started OR m.started,
             ever_active = r.ever_active OR m.state = 'active',
             delete_failed = r.state = 'deprovisioning' AND m.state = 'failed',
             reported_run = coalesce(m.reported, r.reported_run),
             version = r.version + 1,
             updated_at = m.at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::bool[],
                    ?::bool[], ?::uuid[], ?::timestamptz[])
          AS m (id, state, reason, outputs, started, applied, reported, at)
       WHERE r.id = m.id
      """;

  private static final String HISTORY =
      """
      INSERT INTO resource_transitions (resource_id, incarnation, from_state, to_state, actor,
                                        reason, run_id, epoch, at)
      SELECT * FROM unnest(?::uuid[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[],
                           ?::uuid[], ?::int8[], ?::timestamptz[])
      """;

  private static final String USERS =
      """
      SELECT DISTINCT application_id
        FROM (SELECT application_id FROM resource_users WHERE resource_id = ANY (?)
              UNION ALL
              SELECT owner_id FROM resources WHERE id = ANY (?)) AS users
      """;

  private final ApplicationContext context;
  private final Handle handle;
  private final Connection connection;
  private final UUID application;
  private final Instant now;
  private final ResourceSamples samples;

  /** In the transaction of that application, which decides afterwards and needs no signal. */
  Reports(ApplicationContext context, Handle handle, UUID application) {
    this.context = context;
    this.handle = handle;
    this.application = application;
    this.connection = handle.getConnection();
    this.now = context.now();
    this.samples = new ResourceSamples(context, handle, Optional.of(application));
  }

  private record Move(Reported on, ResourceState to, Effect effect) {
    boolean moved() {
      return on.state() != to;
    }

    boolean ends() {
      return effect != Effect.STARTED && !effect.observes();
    }
  }

  /** A resource that a run has reported about, and its states before and afterwards. */
  record Applied(UUID resource, ResourceState from, ResourceState to) {}

  /** The same after the resources have been locked. */
  List<Applied> applyTo(Handle tx, List<UUID> resources) throws SQLException {
    if (resources.isEmpty()) {
      return List.of();
    }
    tx.createQuery("SELECT id FROM resources WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE")
        .bind(0, resources.toArray(UUID[]::new))
        .mapTo(UUID.class)
        .list();
    return apply(resources);
  }

  /** Of runs that are in charge of the resources: that they have begun, and how they ended. */
  List<Applied> apply(Collection<UUID> resources) throws SQLException {
    List<Move> begins = new ArrayList<>();
    List<Move> ends = new ArrayList<>();
    for (Reported reported : Reported.inCharge(connection, resources)) {
      Reported last = reported;
      if (reported.begun()) {
        Move begin = move(reported, Effect.STARTED);
        begins.add(begin);
        last = reported.in(begin.to());
      }
      if (last.effect().isPresent()) {
        ends.add(move(last, last.effect().get()));
      }
    }
    write(begins);
    write(ends);
    samples.worked(
        ends.stream().map(m -> new ResourceSamples.Worked(m.on(), m.effect(), m.to())).toList());
    return Stream.concat(begins.stream(), ends.stream()).map(Reports::applied).toList();
  }

  private static Applied applied(Move move) {
    return new Applied(move.on().resource(), move.on().state(), move.to());
  }

  private static Move move(Reported on, Effect effect) {
    return new Move(on, ReportedState.after(on.state(), effect).orElse(on.state()), effect);
  }

  /** Of runs that only looked: whether a resource is still as it was left. */
  List<Applied> observe(Collection<UUID> runs) throws SQLException {
    if (runs.isEmpty()) {
      return List.of();
    }
    List<Move> moves = new ArrayList<>();
    Set<UUID> seen = new HashSet<>();
    LookTreatment treatment = LookTreatment.of(context, handle, runs);
    for (Reported look : ReportedLooks.of(connection, context.box(), runs)) {
      Effect effect = look.effect().orElseThrow();
      Optional<ResourceState> to = ReportedState.after(look.state(), effect);
      // An update that failed is not made good by a look.
      boolean failed = look.state() == ResourceState.DEGRADED && !look.drifted();
      if (to.isPresent()
          && !failed
          && treatment.moves(look.resource(), effect)
          && seen.add(look.resource())) {
        moves.add(new Move(paused(look, treatment), to.get(), effect));
      }
    }
    write(moves);
    new LookResults(context, handle).keepAll(runs, samples);
    return moves.stream().map(Reports::applied).toList();
  }

  /** With what keeps its drift from being corrected now. */
  private Reported paused(Reported look, LookTreatment treatment) {
    Map<String, @Nullable Object> error = look.error();
    return error == null
        ? look
        : treatment
            .pause(look.resource(), now)
            .map(
                pause -> {
                  Map<String, @Nullable Object> more = new LinkedHashMap<>(error);
                  more.put("message", error.get("message") + ". " + pause.words());
                  more.put(CorrectionPause.UNTIL, pause.until().toString());
                  return look.saying(more);
                })
            .orElse(look);
  }

  private void write(List<Move> moves) throws SQLException {
    if (moves.isEmpty()) {
      return;
    }
    update(moves);
    List<Move> moved = moves.stream().filter(Move::moved).toList();
    if (!moved.isEmpty()) {
      history(moved);
      signal(moved.stream().map(m -> m.on().resource()).toList());
      EventLog.append(handle, moved.stream().map(this::event).toList());
    }
  }

  private void update(List<Move> moves) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      Rows.bind(connection, update, moves)
          .column("uuid", m -> m.on().resource())
          .text(m -> m.to().text())
          .json(m -> m.moved() || m.effect().observes() ? error(m) : null)
          .sealed(context.box(), m -> SealedRows.resource(m.on().resource()), Reports::outputs)
          .column("bool", m -> m.effect() == Effect.STARTED)
          .column("bool", m -> m.to() == ResourceState.ACTIVE && m.effect() == Effect.SUCCEEDED)
          .column("uuid", m -> m.ends() ? m.on().run() : null)
          .time(m -> now);
      update.executeUpdate();
    }
  }

  private static @Nullable Object outputs(Move move) {
    if (!move.ends()) {
      return null;
    }
    if (move.to() == ResourceState.DELETED) {
      return Map.of();
    }
    return move.effect() == Effect.SUCCEEDED && move.moved() ? move.on().outputs() : null;
  }

  private void history(List<Move> moved) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(HISTORY)) {
      Rows.bind(connection, insert, moved)
          .column("uuid", m -> m.on().resource())
          .column("int4", m -> m.on().incarnation())
          .text(m -> m.on().state().text())
          .text(m -> m.to().text())
          .text(Reports::actor)
          .text(m -> m.on().reason(m.effect()))
          .column("uuid", m -> m.on().run())
          .column("int8", m -> m.on().epoch())
          .time(m -> now);
      insert.executeUpdate();
    }
  }

  /** Signals the other applications that use or own the changed resources. */
  private void signal(List<UUID> resources) throws SQLException {
    Object[] ids = resources.toArray();
    Set<UUID> users = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(USERS)) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      select.setArray(2, connection.createArrayOf("uuid", ids));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          users.add(rows.getObject(1, UUID.class));
        }
      }
    }
    users.remove(application);
    ApplicationKey.signal(handle, users, now);
  }

  private Event event(Move move) {
    Reported on = move.on();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", on.resource().toString());
    data.put("resource", on.name());
    data.put("identity", on.identity());
    data.put("type", on.type());
    data.put("from", on.state().text());
    data.put("state", move.to().text());
    data.put("runId", on.run().toString());
    Map<String, @Nullable Object> error = error(move);
    if (error != null) {
      Map<String, @Nullable Object> told = new LinkedHashMap<>(error);
      told.remove(CorrectionPause.UNTIL); // the message has it
      data.put("error", told);
    }
    return new Event(
        "resource." + move.to().text(),
        new ApplicationRefs(on.application(), on.environment()).application(),
        on.environment(),
        on.team(),
        actor(move),
        now,
        data);
  }

  private static @Nullable Map<String, @Nullable Object> error(Move move) {
    return move.effect() == Effect.STARTED ? null : move.on().error();
  }

  private static String actor(Move move) {
    Actor actor = move.effect().observes() ? Actor.OBSERVER : Actor.ENGINE;
    return actor.name().toLowerCase(Locale.ROOT);
  }
}
