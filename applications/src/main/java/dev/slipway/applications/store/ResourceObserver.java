package dev.slipway.applications.store;

import dev.slipway.applications.observe.LookBudget;
import dev.slipway.applications.observe.LookBudget.Admission;
import dev.slipway.applications.observe.LookBudget.Cause;
import dev.slipway.applications.observe.LookPlan;
import dev.slipway.applications.observe.LookPlan.Unobserved;
import dev.slipway.applications.observe.LookPlan.Way;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.postgres.runs.RunInsert;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Looks at resources: after every run, when asked, and once an interval. Key = resource. A turn
 * makes a run of the {@code read} workflow; the run's end signals the key again, whose turn keeps
 * what was found. It takes no lock of the application, so that neither waits for the other: what
 * was found while a run worked on the resource counts for nothing.
 */
public final class ResourceObserver implements Reconciler {
  static final String KIND = "look";

  /** Who makes the looks of the schedule. */
  static final Caller OBSERVER = Caller.system("observer");

  /** Of a sample that says that no look is possible. */
  static final String NOT_OBSERVABLE = "not-observable";

  /** Item of a signal: a look shall begin now. */
  private static final String ASKED = "asked";

  /** Item of the signal of a run that has looked. */
  private static final String LOOKED = "looked";

  private static final int WIDTH = 4;

  private final ApplicationContext context;
  private final LookBudget budget = new LookBudget(LookBudget.Limits.DEFAULT);
  private final LookedAt lookedAt = new LookedAt(KIND);
  private final MetadataCache metadata = new MetadataCache();

  public ResourceObserver(ApplicationContext context) {
    this.context = context;
  }

  /** Asks for looks that begin from now on. */
  static void ask(Handle tx, Collection<UUID> resources, Instant now) {
    Signals.items(
        tx,
        KIND,
        resources.stream()
            .map(id -> new Signals.Item(id.toString(), ASKED, Optional.empty()))
            .toList(),
        now);
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
    budget.ended(wake.runs());
    new LookResults(context, tx).follow(wake.runs());
    Optional<Cause> cause = cause(wake);
    return cause.isEmpty() ? Next.DONE : look(tx, UUID.fromString(key), cause.get());
  }

  /** Empty when a run has ended and that is all. */
  private static Optional<Cause> cause(Wake wake) {
    return switch (wake) {
      case Wake.Everything everything -> Optional.of(Cause.SCHEDULE);
      case Wake.Items(Set<String> items, Set<UUID> _) ->
          items.contains(ASKED) ? Optional.of(Cause.ASKED) : Optional.empty();
    };
  }

  private Next look(Handle tx, UUID id, Cause cause) throws SQLException {
    Instant now = context.now();
    LookPlan plan =
        new LookPlan(context.config().get().observe().interval(), lookedAt.count(tx, now));
    makeRoom(tx);
    if (budget.admit(plan, cause, now) instanceof Admission.PutOff(Instant until)) {
      return new Next.At(until);
    }
    Optional<KnownResource> found = load(tx, id).filter(ResourceObserver::standing);
    if (found.isEmpty()) {
      return Next.DONE; // its next run asks for a look
    }
    Optional<ApplicationRow> owner = ApplicationRow.seen(tx, found.get().owner());
    return owner.isEmpty()
        ? Next.DONE
        : new Turn(tx, new Observed(found.get(), owner.get()), plan, now).take();
  }

  /** The end of a run is heard of by one replica, which may not be the one that has begun it. */
  private void makeRoom(Handle tx) {
    if (budget.full()) {
      Set<UUID> ended = new HashSet<>(budget.underWay());
      tx.createQuery("SELECT id FROM runs WHERE id = ANY (:ids) AND finished_at IS NULL")
          .bind("ids", ended.toArray(UUID[]::new))
          .mapTo(UUID.class)
          .forEach(ended::remove);
      budget.ended(ended);
    }
  }

  private static Optional<KnownResource> load(Handle tx, UUID id) throws SQLException {
    return KnownResources.load(tx.getConnection(), new UUID[] {id}).resources().stream().findAny();
  }

  private static boolean standing(KnownResource resource) {
    return (resource.state() == ResourceState.ACTIVE || resource.state() == ResourceState.DEGRADED)
        && !resource.busy()
        && resource.appliedParams() != null;
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

    Sample sample(Health health, Instant at, String message, String rule) {
      return new Sample(
          about().node(),
          health,
          at,
          Optional.ofNullable(resource.run()).map(UUID::toString), // the attempt
          String.valueOf(resource.appliedHash()),
          List.of(),
          message,
          rule);
    }
  }

  /** One resource, at which a look may begin. */
  private final class Turn {
    private final Handle tx;
    private final Observed observed;
    private final KnownResource resource;
    private final LookPlan plan;
    private final Instant now;

    Turn(Handle tx, Observed observed, LookPlan plan, Instant now) {
      this.tx = tx;
      this.observed = observed;
      this.resource = observed.resource();
      this.plan = plan;
      this.now = now;
    }

    Next take() throws SQLException {
      Resolution resolution =
          context.offers(observed.owner().environment()).with(resource, Operation.READ);
      return switch (LookPlan.way(resolution, provider())) {
        case Way.Look(Resolution.Definition definition) -> begin(definition);
        case Way.NoRead() -> unobserved();
        case Way.NotSeen(String why) -> notSeen(why);
      };
    }

    private LookPlan.Provider provider() {
      String provider = resource.provider();
      return provider != null && context.registry().get().provider(provider).isPresent()
          ? LookPlan.Provider.LOADED
          : LookPlan.Provider.ABSENT;
    }

    private Next begin(Resolution.Definition definition) throws SQLException {
      if (underWay(tx, resource.id())) {
        return new Next.At(plan.next(resource.id(), now));
      }
      if (budget.admit(plan, definition.provider(), now)
          instanceof Admission.PutOff(Instant until)) {
        return new Next.At(until);
      }
      NewRun run;
      try {
        run =
            new ReadRuns(context, metadata)
                .of(tx, by(), new ReadRuns.Read(resource, observed.owner(), definition));
      } catch (RefusedException e) {
        return notSeen(String.valueOf(e.getMessage()));
      }
      RunInsert.insert(tx, context.box(), List.of(run));
      budget.begun(run.id(), definition.provider(), now);
      return new Next.At(plan.next(resource.id(), now));
    }

    private ReadRuns.By by() {
      return new ReadRuns.By(
          OBSERVER,
          new NewRun.Key(KIND, resource.id().toString(), LOOKED, NewRun.Key.OBSERVATION),
          plan.limit(context.config().get().workflowPolicies().maxWorkflowDuration()));
    }

    private Next notSeen(String why) throws SQLException {
      write(
          observed.sample(
              Health.UNKNOWN, now, "cannot be looked at: " + why, LookResults.READ));
      return new Next.At(plan.next(resource.id(), now));
    }

    private Next unobserved() throws SQLException {
      return switch (plan.unobserved(succeeded(tx, resource), now)) {
        case Unobserved.Counts(Instant at, Instant until) -> {
          write(
              observed.sample(
                  Health.HEALTHY, at, "the run succeeded", ResourceSamples.RUN_SUCCEEDED));
          yield new Next.At(until);
        }
        case Unobserved.Unknown(Instant again) -> {
          write(
              observed.sample(
                  Health.UNKNOWN,
                  now,
                  "not observable: the provider has no read workflow",
                  NOT_OBSERVABLE));
          yield new Next.At(again);
        }
      };
    }

    private void write(Sample sample) throws SQLException {
      new ResourceSamples(context, tx).write(Map.of(observed.about(), sample));
    }
  }

  private static boolean underWay(Handle tx, UUID resource) {
    return tx.createQuery(
            "SELECT EXISTS (SELECT 1 FROM runs WHERE resource_id = :id AND operation = 'read'"
                + " AND kind = 'resource' AND finished_at IS NULL)")
        .bind("id", resource)
        .mapTo(Boolean.class)
        .one();
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
