package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ReportedState;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.runs.Retention;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** What runs have found that looked at resources: samples, and work for applications. */
final class LookResults {
  /** Of a sample that a `read` workflow gave. */
  static final String READ = "read";

  private static final String LOOKS =
      """
      SELECT r.id, r.name, r.identity, r.type, r.environment, r.team, a.name AS application,
             r.owner_id, r.state, r.reason ->> 'code' AS reason, r.applied_params IS NOT NULL AS applied,
             coalesce(r.gate IN ('waiting', 'failed') AND r.gate_run = r.run_id, false) AS gated,
             r.run_id, r.reported_run, coalesce(r.applied_hash, '') AS revision,
             run.id AS look, run.cause, run.report, run.created_at, charge.finished_at,
             charge.state AS attempt
        FROM runs run
        JOIN resources r ON r.id = run.resource_id
        JOIN applications a ON a.id = r.owner_id
        LEFT JOIN runs charge ON charge.id = r.run_id
       WHERE run.id = ANY (:runs) AND run.operation = 'read' AND run.report IS NOT NULL
      """;

  private final ApplicationContext context;
  private final Handle tx;

  LookResults(ApplicationContext context, Handle tx) {
    this.context = context;
    this.tx = tx;
  }

  /** Whether the schedule made a look, or a caller. */
  private enum Origin {
    SCHEDULE,
    CALLER
  }

  /**
   * A look.
   *
   * @param of its resource
   */
  private record Look(
      UUID run,
      Origin origin,
      Effect effect,
      Resource of,
      Sample sample,
      ResourceSamples.About about) {

    /** Whether it moves the resource, changes what is said against it, or may open its gate. */
    boolean concernsApplication() {
      return of.gated()
          || ReportedState.after(of.state(), effect).isPresent()
              && !Reported.failed(of.state(), of.reason());
    }

    /** For its application. */
    Signals.Item item() {
      return new Signals.Item(of.owner().toString(), about.id().toString(), Optional.of(run));
    }

    /** It began before the last attempt ended, and says nothing about it. */
    boolean early(Instant now) {
      return of.standing()
          && sample.stale().stream()
              .anyMatch(s -> s.test().equals(AFTER) && !Instant.parse(s.wanted()).isAfter(now));
    }
  }

  /**
   * Its resource.
   *
   * @param reason why it is as it is
   * @param applied whether an attempt has made it
   * @param gated whether its gate waits, or gave up waiting
   */
  private record Resource(
      UUID owner, ResourceState state, String reason, boolean applied, boolean gated) {

    /** What is under work is looked at afterwards. */
    boolean standing() {
      return switch (state) {
        case ACTIVE, DEGRADED -> true;
        case FAILED -> applied;
        case REQUESTED, PROVISIONING, UPDATING, DEPROVISIONING, DELETED -> false;
      };
    }
  }

  private static final Set<RunState> SUCCEEDED = EnumSet.of(RunState.SUCCEEDED, RunState.PARTIAL);

  private static final String AFTER = "sampled-after";

  /** In a turn that is not the application's: what moves a resource is left to that one. */
  void follow(Collection<UUID> runs) throws SQLException {
    List<Look> looks = looks(runs);
    Signals.items(
        tx,
        ApplicationKey.KIND,
        looks.stream().filter(Look::concernsApplication).map(Look::item).toList(),
        context.now());
    keep(
        looks.stream().filter(l -> !l.concernsApplication()).toList(),
        new ResourceSamples(context, tx));
  }

  /** In the turn of the application, which has moved its resources and decides afterwards. */
  void keepAll(Collection<UUID> runs, ResourceSamples samples) throws SQLException {
    keep(looks(runs), samples);
  }

  /** Keeps the samples; the rows of looks that the schedule made go. */
  private void keep(List<Look> looks, ResourceSamples kept) throws SQLException {
    Map<ResourceSamples.About, Sample> samples = new LinkedHashMap<>();
    looks.stream()
        .filter(l -> l.of().standing())
        .forEach(l -> samples.merge(l.about(), l.sample(), LookResults::later));
    Instant now = context.now();
    LookQueue.ask(
        tx, looks.stream().filter(l -> l.early(now)).map(l -> l.about().id()).toList(), now);
    kept.write(samples);
    Retention.remove(
        tx, looks.stream().filter(l -> l.origin() == Origin.SCHEDULE).map(Look::run).toList());
  }

  private static Sample later(Sample one, Sample other) {
    return other.at().isAfter(one.at()) ? other : one;
  }

  private List<Look> looks(Collection<UUID> runs) {
    return runs.isEmpty()
        ? List.of()
        : tx.createQuery(LOOKS)
            .bind("runs", runs.toArray(UUID[]::new))
            .map((rs, _) -> look(rs))
            .list();
  }

  private static Look look(ResultSet rs) throws SQLException {
    ResourceSamples.About about =
        new ResourceSamples.About(
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
    return new Look(
        rs.getObject("look", UUID.class),
        NewRun.Key.OBSERVATION.equals(rs.getString("cause")) ? Origin.SCHEDULE : Origin.CALLER,
        effect,
        new Resource(
            rs.getObject("owner_id", UUID.class),
            State.parse(ResourceState.class, rs.getString("state")),
            String.valueOf(rs.getString("reason")),
            rs.getBoolean("applied"),
            rs.getBoolean("gated")),
        sample,
        about);
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
        ? Optional.of(new Stale(AFTER, finished.toString(), began.toString()))
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
}
