package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ReportedState;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.observe.DriftPolicy;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Stale;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.reconcile.Signals;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A run that looked at a resource, with what it found.
 *
 * @param of its resource
 */
record LookRow(
    UUID run,
    Origin origin,
    Effect effect,
    Resource of,
    Sample sample,
    ResourceSamples.About about) {
  private static final Set<RunState> SUCCEEDED = EnumSet.of(RunState.SUCCEEDED, RunState.PARTIAL);

  private static final String AFTER = "sampled-after";

  /** Of a sample that a `read` workflow gave. */
  static final String READ = "read";

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

  /** Whether the schedule made a look, or a caller. */
  enum Origin {
    SCHEDULE,
    CALLER
  }

  /**
   * Its resource.
   *
   * @param reason why it is as it is
   * @param applied whether an attempt has made it
   * @param gated whether its gate waits, or gave up waiting
   */
  record Resource(UUID owner, ResourceState state, String reason, boolean applied, boolean gated) {

    /** What is under work is looked at afterwards. */
    boolean standing() {
      return switch (state) {
        case ACTIVE, DEGRADED -> true;
        case FAILED -> applied;
        case REQUESTED, PROVISIONING, UPDATING, DEPROVISIONING, DELETED -> false;
      };
    }
  }

  static LookRow of(ResultSet rs, Observe.Drift usual) throws SQLException {
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
            health(effect, code(report), DriftPolicy.of(rs.getString("drift"), usual)),
            Columns.time(rs, "created_at"),
            stale.isPresent() ? Optional.empty() : Optional.ofNullable(rs.getString("run_id")),
            rs.getString("revision"),
            stale.stream().toList(),
            effect == Effect.AS_LEFT ? "" : String.valueOf(report.get("reason")),
            READ);
    return new LookRow(
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

  private static String code(Map<String, Object> report) {
    return String.valueOf(Values.map(report.get("error")).get("code"));
  }

  private static Health health(Effect effect, String code, Observe.Drift policy) {
    return switch (effect) {
      case AS_LEFT -> Health.HEALTHY;
      case DRIFTED ->
          switch (policy) {
            case REPORT, CORRECT -> Health.DEGRADED;
            // The look went no further: how well it is in its other form is not known.
            case IGNORE -> Health.UNKNOWN;
          };
      case NOT_OURS -> Health.DEGRADED;
      case MISSING -> Health.MISSING;
      case NOT_SEEN -> health(code);
      case STARTED, SUCCEEDED, FAILED, ROLLED_BACK -> Health.UNKNOWN;
    };
  }

  /** What is there as it was left may still not be well. */
  private static Health health(String code) {
    return switch (code) {
      case StepError.PROGRESSING -> Health.PROGRESSING;
      case StepError.DEGRADED -> Health.DEGRADED;
      case StepError.SUSPENDED -> Health.SUSPENDED;
      default -> Health.UNKNOWN;
    };
  }
}
