package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.health.GateWaits;
import dev.slipway.postgres.health.NodeHealth;
import dev.slipway.postgres.reconcile.Signals;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Keeps what runs have seen of resources. */
final class ResourceSamples {
  /** Of a sample that a `read` workflow gave. */
  static final String READ = "read";

  /** Of a sample that the success of the run is, because nothing can look. */
  static final String RUN_SUCCEEDED = Sample.RUN_SUCCEEDED;

  static final String RUN_FAILED = "run-failed";

  private static final String LOOKS =
      """
      SELECT r.id, r.name, r.identity, r.type, r.environment, r.team, a.name AS application,
             r.run_id, r.reported_run, coalesce(r.applied_hash, '') AS revision,
             r.state IN ('active', 'degraded')
               OR r.state = 'failed' AND r.applied_params IS NOT NULL AS standing,
             run.id AS look, run.cause, run.report, run.created_at, charge.finished_at,
             charge.state AS attempt
        FROM runs run
        JOIN resources r ON r.id = run.resource_id
        JOIN applications a ON a.id = r.owner_id
        LEFT JOIN runs charge ON charge.id = r.run_id
       WHERE run.id = ANY (:runs) AND run.operation = 'read' AND run.report IS NOT NULL
      """;

  private static final Set<RunState> SUCCEEDED = EnumSet.of(RunState.SUCCEEDED, RunState.PARTIAL);

  private static final List<String> REMOVALS =
      List.of(
          "DELETE FROM step_logs WHERE run_id = ANY (:runs)",
          "DELETE FROM attempts WHERE run_id = ANY (:runs)",
          "DELETE FROM steps WHERE run_id = ANY (:runs)",
          "DELETE FROM runs WHERE id = ANY (:runs)");

  private final ApplicationContext context;
  private final Handle tx;
  private final Optional<GateWaits.Key> deciding;

  ResourceSamples(ApplicationContext context, Handle tx) {
    this(context, tx, Optional.empty());
  }

  /** In the transaction of an application that decides afterwards and needs no signal. */
  ResourceSamples(ApplicationContext context, Handle tx, Optional<UUID> application) {
    this.context = context;
    this.tx = tx;
    this.deciding = application.map(id -> new GateWaits.Key(ApplicationKey.KIND, id.toString()));
  }

  /** Who a sample is about, for its event. */
  record About(
      UUID id,
      String name,
      String identity,
      String type,
      String environment,
      String team,
      String application) {
    NodeRef node() {
      return new ApplicationNodes(environment).resource(identity);
    }
  }

  /** A run that has ended, and where it took its resource. */
  record Worked(Reported on, Effect effect, ResourceState to) {
    boolean failed() {
      return switch (effect) {
        case FAILED, ROLLED_BACK -> to != ResourceState.DELETED;
        case STARTED, SUCCEEDED, DRIFTED, MISSING, NOT_OURS, NOT_SEEN, AS_LEFT -> false;
      };
    }

    About about() {
      return new About(
          on.resource(),
          on.name(),
          on.identity(),
          on.type(),
          on.environment(),
          on.team(),
          on.application());
    }
  }

  /**
   * A look.
   *
   * @param standing whether its resource is there; what is under work is looked at afterwards
   * @param quiet whether the schedule made it
   */
  private record Seen(About about, Sample sample, UUID look, boolean standing, boolean quiet) {}

  /**
   * What has been worked on is looked at next. A run that failed is the sample of its attempt; what
   * an earlier one applied is looked at all the same.
   */
  void worked(List<Worked> ended) throws SQLException {
    Map<About, Sample> failed = new LinkedHashMap<>();
    List<String> asked = new ArrayList<>();
    List<NodeRef> gone = new ArrayList<>();
    for (Worked worked : ended) {
      if (worked.to() == ResourceState.DELETED) {
        gone.add(worked.about().node());
      } else {
        asked.add(worked.on().resource().toString());
      }
      if (worked.failed()) {
        failed.put(worked.about(), failure(worked));
      }
    }
    NodeHealth.forget(tx, gone);
    write(failed);
    Signals.add(tx, ResourceObserver.KIND, asked, context.now());
  }

  private Sample failure(Worked worked) {
    Map<String, @Nullable Object> error = worked.on().error();
    return new Sample(
        worked.about().node(),
        Health.FAILED,
        context.now(),
        Optional.of(worked.on().run().toString()),
        worked.on().revision(),
        List.of(),
        error == null ? worked.on().end() : String.valueOf(error.get("message")),
        RUN_FAILED);
  }

  /** Keeps what these looks found; the rows of those that the schedule made go. */
  void looked(Collection<UUID> runs) throws SQLException {
    if (runs.isEmpty()) {
      return;
    }
    List<Seen> seen =
        tx.createQuery(LOOKS)
            .bind("runs", runs.toArray(UUID[]::new))
            .map((rs, _) -> seen(rs))
            .list();
    Map<About, Sample> samples = new LinkedHashMap<>();
    seen.stream()
        .filter(Seen::standing)
        .forEach(s -> samples.merge(s.about(), s.sample(), ResourceSamples::later));
    write(samples);
    UUID[] done = seen.stream().filter(Seen::quiet).map(Seen::look).toArray(UUID[]::new);
    if (done.length > 0) {
      REMOVALS.forEach(sql -> tx.createUpdate(sql).bind("runs", done).execute());
    }
  }

  private static Sample later(Sample one, Sample other) {
    return other.at().isAfter(one.at()) ? other : one;
  }

  private static Seen seen(ResultSet rs) throws SQLException {
    About about =
        new About(
            rs.getObject("id", UUID.class),
            rs.getString("name"),
            rs.getString("identity"),
            rs.getString("type"),
            rs.getString("environment"),
            rs.getString("team"),
            rs.getString("application"));
    Map<String, Object> report = Json.readMap(rs.getString("report"));
    Effect effect = State.parse(Effect.class, String.valueOf(report.get("effect")));
    Optional<Stale> stale = stale(rs);
    Sample sample =
        new Sample(
            about.node(),
            health(effect),
            Columns.time(rs, "created_at"),
            stale.isPresent() ? Optional.empty() : Optional.ofNullable(rs.getString("run_id")),
            rs.getString("revision"),
            stale.stream().toList(),
            effect == Effect.AS_LEFT ? "" : String.valueOf(report.get("reason")),
            READ);
    return new Seen(
        about,
        sample,
        rs.getObject("look", UUID.class),
        rs.getBoolean("standing"),
        NewRun.Key.OBSERVATION.equals(rs.getString("cause")));
  }

  /**
   * A look counts for the last attempt when that one succeeded, and when it did not begin before
   * the outputs of that one were stored.
   */
  private static Optional<Stale> stale(ResultSet rs) throws SQLException {
    String attempt = String.valueOf(rs.getString("run_id"));
    if (!attempt.equals(rs.getString("reported_run"))) {
      return Optional.of(new Stale("run", attempt, String.valueOf(rs.getString("reported_run"))));
    }
    String state = rs.getString("attempt");
    if (state != null && !SUCCEEDED.contains(State.parse(RunState.class, state))) {
      return Optional.of(new Stale("run-succeeded", RunState.SUCCEEDED.text(), state));
    }
    Instant finished = Columns.timeOrNull(rs, "finished_at");
    Instant began = Columns.time(rs, "created_at");
    return finished != null && began.isBefore(finished)
        ? Optional.of(new Stale("sampled-after", finished.toString(), began.toString()))
        : Optional.empty();
  }

  private static Health health(Effect effect) {
    return switch (effect) {
      case AS_LEFT -> Health.HEALTHY;
      case DRIFTED, NOT_OURS -> Health.DEGRADED;
      case MISSING -> Health.MISSING;
      case NOT_SEEN, STARTED, SUCCEEDED, FAILED, ROLLED_BACK -> Health.UNKNOWN;
    };
  }

  /** Writes samples, with an event for each change of health. */
  void write(Map<About, Sample> samples) throws SQLException {
    if (samples.isEmpty()) {
      return;
    }
    Map<NodeRef, About> abouts = new HashMap<>();
    samples.forEach((about, sample) -> abouts.put(sample.node(), about));
    List<NodeHealth.Change> changes = NodeHealth.write(tx, samples.values(), deciding);
    List<Event> events = new ArrayList<>();
    for (NodeHealth.Change change : changes) {
      About about = abouts.get(change.now().sample().node());
      if (about != null) {
        events.add(event(about, change));
      }
    }
    EventLog.append(tx, events);
  }

  private Event event(About about, NodeHealth.Change change) {
    Observation now = change.now();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", about.id().toString());
    data.put("resource", about.name());
    data.put("identity", about.identity());
    data.put("type", about.type());
    change.before().ifPresent(before -> data.put("from", before.text()));
    data.put("health", now.sample().health().text());
    data.put("since", now.since().toString());
    data.put("message", now.sample().message());
    return new Event(
        "resource.health",
        new ApplicationRefs(about.application(), about.environment()).application(),
        about.environment(),
        about.team(),
        "observer",
        context.now(),
        data);
  }
}
