package dev.slipway.applications.store;

import dev.slipway.applications.observe.LookBudget;
import dev.slipway.applications.observe.LookPlan;
import dev.slipway.applications.observe.LookPlan.Unobserved;
import dev.slipway.applications.observe.LookPlan.Way;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Situation;
import dev.slipway.applications.store.LookQueue.Due;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.runs.RunInsert;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins looks at some resources, with as many statements as for one. */
final class LookTurn {
  private static final Logger LOG = LoggerFactory.getLogger(LookTurn.class);

  private final Parts parts;
  private final ApplicationContext context;
  private final Handle tx;
  private final LookPlan plan;
  private final Instant now;
  private Map<UUID, Instant> lastLooks = Map.of();
  private Map<UUID, Instant> succeeded = Map.of();
  private final Map<UUID, Instant> until = new HashMap<>();
  private final List<UUID> stillAsked = new ArrayList<>();
  private final List<NewRun> begun = new ArrayList<>();
  private final Map<ResourceSamples.About, Sample> samples = new LinkedHashMap<>();

  /** What it stands on. */
  record Parts(ApplicationContext context, LookBudget budget, MetadataCache metadata) {}

  LookTurn(Parts parts, Handle tx, LookPlan plan, Instant now) {
    this.parts = parts;
    this.context = parts.context();
    this.tx = tx;
    this.plan = plan;
    this.now = now;
  }

  void take(List<Due> due) throws SQLException {
    Map<UUID, Due> byId = new LinkedHashMap<>();
    due.forEach(d -> byId.put(d.resource(), d));
    List<KnownResource> standing =
        KnownResources.load(tx.getConnection(), byId.keySet().toArray(UUID[]::new))
            .resources()
            .stream()
            .filter(ResourceObserver::standing)
            .toList();
    Set<UUID> gone = new HashSet<>(byId.keySet());
    standing.forEach(r -> gone.remove(r.id()));
    LookQueue.remove(tx, gone); // the next run of each asks for a look
    PastLooks past = new PastLooks(tx);
    lastLooks = past.began(standing, due);
    succeeded = past.succeeded(standing);
    LookSituations situations = new LookSituations(context, parts.metadata(), tx, standing);
    for (KnownResource resource : standing) {
      until.put(resource.id(), plan.next(resource.id(), now));
      Due asked = Objects.requireNonNull(byId.get(resource.id()), "only these were loaded");
      situations
          .owner(resource)
          .ifPresent(row -> look(situations, new Observed(resource, row), asked));
    }
    LookQueue.put(tx, until, stillAsked);
    new ResourceSamples(context, tx).write(samples);
    RunInsert.insert(tx, context.box(), begun);
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

  private void look(LookSituations situations, Observed observed, Due due) {
    KnownResource resource = observed.resource();
    Resolution resolution =
        context.offers(observed.owner().environment()).with(resource, Operation.READ);
    switch (LookPlan.way(resolution, provider(resource))) {
      case Way.Look(Resolution.Definition definition) ->
          begin(situations, observed, definition, due);
      case Way.NoRead() -> unobserved(observed);
      case Way.NotSeen(String why) -> notSeen(observed, why);
    }
  }

  private LookPlan.Provider provider(KnownResource resource) {
    String provider = resource.provider();
    return provider != null && context.registry().get().provider(provider).isPresent()
        ? LookPlan.Provider.LOADED
        : LookPlan.Provider.ABSENT;
  }

  private void begin(
      LookSituations situations, Observed observed, Resolution.Definition definition, Due due) {
    KnownResource resource = observed.resource();
    Instant last = lastLooks.get(resource.id());
    if (last != null) {
      if (!due.servedBy(last)) {
        again(due, now.plus(plan.pause()));
      }
      return;
    }
    if (!parts.budget().admits(definition.provider())) {
      again(due, plan.putOff(resource.id(), now));
      return;
    }
    try {
      Situation situation = situations.of(resource, observed.owner());
      NewRun run =
          new ReadRuns(context)
              .ofSchedule(situation, situations.look(situation, resource, definition));
      begun.add(run);
      parts.budget().begun(plan, run.id(), definition.provider(), now);
    } catch (RefusedException | IllegalStateException | IllegalArgumentException e) {
      // One resource that cannot be read must not keep the others of its shard waiting.
      LOG.warn("{} cannot be looked at: {}", observed.about().node(), e.toString());
      notSeen(observed, String.valueOf(e.getMessage()));
    }
  }

  /** What was asked for has still to be done; a look of the schedule has its next time anyway. */
  private void again(Due due, Instant then) {
    if (due.asked().isPresent()) {
      stillAsked.add(due.resource());
      until.put(due.resource(), then);
    }
  }

  private void notSeen(Observed observed, String why) {
    samples.put(
        observed.about(),
        observed.sample(Health.UNKNOWN, now, "cannot be looked at: " + why, LookRow.READ));
  }

  private void unobserved(Observed observed) {
    UUID resource = observed.resource().id();
    switch (plan.unobserved(Optional.ofNullable(succeeded.get(resource)), now)) {
      case Unobserved.Counts(Instant at, Instant end) -> {
        samples.put(
            observed.about(),
            observed.sample(
                Health.HEALTHY, at, "the run succeeded", ResourceSamples.RUN_SUCCEEDED));
        until.put(resource, end);
      }
      case Unobserved.Unknown(Instant again) -> {
        samples.put(
            observed.about(),
            observed.sample(
                Health.UNKNOWN,
                now,
                "not observable: the provider has no read workflow",
                Sample.NOT_OBSERVABLE));
        until.put(resource, again);
      }
    }
  }
}
