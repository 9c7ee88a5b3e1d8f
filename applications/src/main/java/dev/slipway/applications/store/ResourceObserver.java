package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.health.NodeHealth;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.postgres.runs.RunInsert;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Looks at resources: after every run, when asked, and once an interval. Key = resource. A turn
 * makes a run of the {@code read} workflow; the application of the resource applies its report.
 */
public final class ResourceObserver implements Reconciler {
  static final String KIND = "look";

  /** Who makes the looks of the schedule. */
  static final Caller OBSERVER = Caller.system("observer");

  /** Of a sample that says that no look is possible. */
  static final String NOT_OBSERVABLE = Sample.NOT_OBSERVABLE;

  private static final String NOT_LOADED = "its provider is not loaded";

  /** One worker a replica, so that the count of looks needs no lock. */
  private static final int WIDTH = 1;

  private static final int LOOKS_PER_SECOND = 16;
  private static final Duration SOON = Duration.ofSeconds(1);

  /** How often the sample of what is not observable is written again, so that it is kept. */
  private static final Duration NOT_OBSERVABLE_AGAIN = Duration.ofDays(1);

  private final ApplicationContext context;
  private Instant second = Instant.EPOCH;
  private int begun;

  public ResourceObserver(ApplicationContext context) {
    this.context = context;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) throws SQLException {
    UUID id = UUID.fromString(key);
    Optional<KnownResource> found = load(tx, id).filter(ResourceObserver::standing);
    if (found.isEmpty()) {
      return Next.DONE; // its next run asks for a look
    }
    ApplicationRow owner = ApplicationRow.hold(tx, found.get().owner()).orElseThrow();
    Optional<KnownResource> held = load(tx, id).filter(ResourceObserver::standing);
    return held.isEmpty() ? Next.DONE : observe(tx, new Observed(held.get(), owner));
  }

  /** A resource that is looked at. */
  private record Observed(KnownResource resource, ApplicationRow owner) {
    ResourceSamples.About about() {
      return new ResourceSamples.About(
          resource.id(),
          resource.name(),
          resource.identity(),
          resource.type(),
          owner.environment(),
          resource.team(),
          owner.name());
    }

    /** The attempt that samples belong to. */
    Optional<String> request() {
      return Optional.ofNullable(resource.run()).map(UUID::toString);
    }

    Sample sample(Health health, Instant at, String message, String rule) {
      return new Sample(
          about().node(),
          health,
          at,
          request(),
          String.valueOf(resource.appliedHash()),
          List.of(),
          message,
          rule);
    }
  }

  private static Optional<KnownResource> load(Handle tx, UUID id) throws SQLException {
    return KnownResources.load(tx.getConnection(), new UUID[] {id}).resources().stream().findAny();
  }

  private static boolean standing(KnownResource resource) {
    return switch (resource.state()) {
      case ACTIVE, DEGRADED, FAILED -> !resource.busy() && resource.appliedParams() != null;
      case REQUESTED, PROVISIONING, UPDATING, DEPROVISIONING, DELETED -> false;
    };
  }

  private Next observe(Handle tx, Observed observed) throws SQLException {
    KnownResource resource = observed.resource();
    Resolution resolution =
        context.offers(observed.owner().environment()).with(resource, Operation.READ);
    return switch (resolution) {
      case Resolution.Found(var definition, var _) -> look(tx, observed, definition);
      case Resolution.NotSupported(var _, var _, var _) ->
          loaded(resource) ? withoutLook(tx, observed) : notSeen(tx, observed, NOT_LOADED);
      case Resolution.UnknownType(var _, var _) -> notSeen(tx, observed, NOT_LOADED);
      case Resolution.Conflicted(var type, var _, var claimants) ->
          notSeen(tx, observed, "'" + type + "' is claimed by " + String.join(" and ", claimants));
      case Resolution.MissingPrograms lacks -> notSeen(tx, observed, lacks.words());
      case Resolution.Barred(var _, var provider, var why) ->
          notSeen(tx, observed, "provider '" + provider + "' is refused: " + why);
    };
  }

  private boolean loaded(KnownResource resource) {
    String provider = resource.provider();
    return provider != null && context.registry().get().provider(provider).isPresent();
  }

  private Next look(Handle tx, Observed observed, Resolution.Definition definition)
      throws SQLException {
    KnownResource resource = observed.resource();
    Instant now = context.now();
    if (underWay(tx, resource.id())) {
      return new Next.At(spread(resource.id(), now));
    }
    if (tooMany(now)) {
      return new Next.At(fresh(tx, observed) ? spread(resource.id(), now) : now.plus(SOON));
    }
    NewRun run;
    try {
      run = new ReadRuns(context).of(tx, OBSERVER, resource, observed.owner(), definition);
    } catch (RefusedException e) {
      return notSeen(tx, observed, String.valueOf(e.getMessage()));
    }
    RunInsert.insert(tx, context.box(), List.of(run));
    return new Next.At(spread(resource.id(), now));
  }

  private static boolean underWay(Handle tx, UUID resource) {
    return tx.createQuery(
            "SELECT EXISTS (SELECT 1 FROM runs WHERE resource_id = :id AND operation = 'read'"
                + " AND finished_at IS NULL)")
        .bind("id", resource)
        .mapTo(Boolean.class)
        .one();
  }

  private boolean tooMany(Instant now) {
    Instant current = Instant.ofEpochSecond(now.getEpochSecond());
    if (!current.equals(second)) {
      second = current;
      begun = 0;
    }
    return ++begun > LOOKS_PER_SECOND;
  }

  /** Whether a look has found something since the last attempt, so that the next one can wait. */
  private static boolean fresh(Handle tx, Observed observed) throws SQLException {
    NodeRef node = observed.about().node();
    Observation known = NodeHealth.find(tx, List.of(node)).get(node);
    return known != null && known.sample().request().equals(observed.request());
  }

  /** Between 90 and 100 % of the interval, so that what was made together drifts apart. */
  private Instant spread(UUID id, Instant now) {
    long interval = interval().toMillis();
    long early = Math.floorMod(id.hashCode() ^ now.getEpochSecond(), 1 + interval / 10);
    return now.plusMillis(interval - early);
  }

  private Duration interval() {
    return context.config().get().observe().interval();
  }

  private Next notSeen(Handle tx, Observed observed, String why) throws SQLException {
    Instant now = context.now();
    write(
        tx,
        observed,
        observed.sample(Health.UNKNOWN, now, "cannot be looked at: " + why, ResourceSamples.READ));
    return new Next.At(spread(observed.resource().id(), now));
  }

  /** The run's success is the only sample there is; it counts for one interval. */
  private Next withoutLook(Handle tx, Observed observed) throws SQLException {
    Instant now = context.now();
    Optional<Instant> succeeded = succeeded(tx, observed.resource());
    Optional<Instant> until = succeeded.map(at -> at.plus(interval())).filter(now::isBefore);
    Sample sample =
        succeeded
            .filter(at -> until.isPresent())
            .map(
                at ->
                    observed.sample(
                        Health.HEALTHY, at, "the run succeeded", ResourceSamples.RUN_SUCCEEDED))
            .orElseGet(
                () ->
                    observed.sample(
                        Health.UNKNOWN,
                        now,
                        "not observable: the provider has no read workflow",
                        NOT_OBSERVABLE));
    write(tx, observed, sample);
    return new Next.At(until.orElse(now.plus(NOT_OBSERVABLE_AGAIN)));
  }

  private void write(Handle tx, Observed observed, Sample sample) throws SQLException {
    new ResourceSamples(context, tx).write(Map.of(observed.about(), sample));
  }

  /** When the last attempt succeeded; empty if it did not. */
  private static Optional<Instant> succeeded(Handle tx, KnownResource resource) {
    return tx.createQuery(
            "SELECT finished_at FROM runs WHERE id = :run AND state IN ('succeeded', 'partial')")
        .bind("run", resource.run())
        .map((rs, _) -> Columns.time(rs, "finished_at"))
        .findOne();
  }
}
