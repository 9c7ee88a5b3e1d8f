package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Binding;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.ResourceGate;
import dev.slipway.applications.progress.ApplicationOutcome.Remaining;
import dev.slipway.applications.progress.Decision.Problem;
import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.health.Verdict;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One question and what has been found out about it so far. */
final class Round {
  /** Moves are written in this order, which is the database's order of ids: no deadlock. */
  private static final Comparator<UUID> BY_ID =
      Comparator.<UUID>comparingLong(id -> id.getMostSignificantBits() ^ Long.MIN_VALUE)
          .thenComparingLong(id -> id.getLeastSignificantBits() ^ Long.MIN_VALUE);

  /** A resource with at most this many neighbours is decided again whenever one of them moves. */
  private static final int FEW = 16;

  /** What every decision of a server uses: {@code drift} is what follows from drift. */
  record Means(Offers offers, SecretBox box, Observe.Drift drift) {}

  private final Offers offers;
  private final SecretBox box;
  private final Observe.Drift drift;
  private final Situation situation;
  private final @Nullable Set<UUID> scope;
  private final Verdicts verdicts;
  private final List<Move> moves = new ArrayList<>();
  private final List<Decision.Wait> waits = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private int starts;
  private boolean more;

  /** About the resources of the scope; null: about all. */
  Round(Means means, Situation situation, @Nullable Set<UUID> scope) {
    this.offers = means.offers();
    this.box = means.box();
    this.drift = means.drift();
    this.situation = situation;
    this.scope = scope;
    this.verdicts = new Verdicts(situation, scope);
  }

  Verdicts verdicts() {
    return verdicts;
  }

  Round moved() {
    upwards();
    downwards();
    return this;
  }

  Decision decide() {
    moved();
    ApplicationOutcome outcome = new ApplicationOutcome(situation, verdicts.concerned());
    Remaining remaining = remaining(outcome);
    return new Decision(
        moves,
        waits,
        outcome.state(),
        outcome.deployment(remaining),
        problems,
        more,
        verdicts.until());
  }

  private Remaining remaining(ApplicationOutcome outcome) {
    boolean complete =
        switch (situation.phase()) {
          case TEARDOWN -> outcome.concerned().isEmpty();
          case LIVE -> outcome.settled() && bindWorkload();
        };
    if (complete) {
      return Remaining.NOTHING;
    }
    return problems.isEmpty() ? Remaining.WORK : Remaining.PROBLEMS;
  }

  NeighbourhoodDecision.Decided decision() {
    return new NeighbourhoodDecision.Decided(moves, waits, verdicts.moving(), verdicts.until());
  }

  /** What is wanted, dependencies first. */
  private void upwards() {
    Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
    for (KnownResource resource : verdicts.resources()) {
      if (resource.wanted() && !resource.detached() && verdicts.decides(resource.id())) {
        needs.put(
            resource.id(),
            resource.dependencies().stream()
                .filter(KnownResource.Dependency::wanted)
                .map(KnownResource.Dependency::on)
                .toList());
      }
    }
    Provisioning provisioning = new Provisioning(offers, box, situation, drift);
    for (UUID id : Dag.of(needs).sorted()) {
      KnownResource resource = verdicts.known(id);
      if (enoughBegin()) {
        leaveOut(resource);
        continue;
      }
      record(
          resource,
          verdicts.mine(resource) ? provisioning.next(resource, verdicts::answer) : seen(resource));
    }
  }

  /** What is not wanted any more, dependents first. */
  private void downwards() {
    Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
    for (KnownResource resource : verdicts.resources()) {
      if (!resource.wanted()
          && !resource.detached()
          && verdicts.mine(resource)
          && verdicts.decides(resource.id())) {
        needs.put(
            resource.id(),
            resource.dependencies().stream().map(KnownResource.Dependency::on).toList());
      }
    }
    Deprovisioning deprovisioning = new Deprovisioning(offers, box, situation);
    for (UUID id : Dag.of(needs).sorted().reversed()) {
      KnownResource resource = verdicts.known(id);
      if (enoughBegin()) {
        leaveOut(resource);
        continue;
      }
      Set<String> names = new TreeSet<>();
      verdicts.dependents(resource).forEach(d -> names.add(d.name()));
      record(resource, deprovisioning.next(resource, names));
    }
  }

  private boolean enoughBegin() {
    return scope == null && starts >= Progress.MOST_STARTS;
  }

  /** It stays as it is until the next decision. */
  private void leaveOut(KnownResource resource) {
    more = true;
    verdicts.put(resource, ResourceVerdict.waiting(resource.state()));
  }

  private void record(KnownResource resource, ResourceVerdict verdict) {
    verdicts.put(resource, verdict);
    moves.addAll(verdict.moves());
    for (Move move : verdict.moves()) {
      if (move instanceof Move.Start || move instanceof Move.Look) {
        starts++;
      }
    }
    verdict.problem().ifPresent(reason -> problems.add(new Problem(resource.name(), reason)));
    if (verdicts.mine(resource)) {
      remember(resource, waitsFor(resource, verdict));
    }
  }

  private void remember(KnownResource resource, @Nullable UUID on) {
    if (!Objects.equals(on, resource.waitsFor())) {
      waits.add(new Decision.Wait(resource.id(), on));
    }
  }

  /**
   * For an active resource whether it is done, since its row does not tell. For one with many
   * neighbours which of them it waits for, so that it is not asked about each time that another one
   * of them moves.
   */
  private @Nullable UUID waitsFor(KnownResource resource, ResourceVerdict verdict) {
    boolean active = verdict.state() == ResourceState.ACTIVE;
    if (verdict.kind() == ResourceVerdict.Kind.STUCK) {
      return active ? resource.id() : null;
    }
    if (verdict.kind() != ResourceVerdict.Kind.WAITING) {
      return null;
    }
    List<UUID> neighbours =
        resource.wanted() ? Verdicts.needs(resource) : verdicts.needing(resource);
    if (!active && neighbours.size() <= FEW) {
      return null;
    }
    List<UUID> pending =
        neighbours.stream()
            .filter(
                id -> !resource.wanted() || verdicts.answer(id) instanceof Binding.Answer.Pending)
            .toList();
    if (resource.waitsFor() != null && pending.contains(resource.waitsFor())) {
      return resource.waitsFor();
    }
    return pending.stream()
        .max(Comparator.comparingInt(verdicts::place).thenComparing(BY_ID))
        .orElse(active ? resource.id() : null);
  }

  /** A resource that its owner, another application, moves. */
  private ResourceVerdict seen(KnownResource resource) {
    if (resource.ready()) {
      return ResourceVerdict.done(resource.state());
    }
    if (resource.state() == ResourceState.FAILED && !resource.busy()) {
      return ResourceVerdict.stuck(resource.state(), Reason.of(resource));
    }
    return resource.active()
            && ResourceGate.judge(resource, resource.health().observed(), situation.now())
                instanceof Verdict.Fails(GateReason reason)
        ? ResourceVerdict.stuck(resource.state(), Reason.of(resource, reason))
        : ResourceVerdict.waiting(resource.state());
  }

  private boolean bindWorkload() {
    Binding.Bound bound =
        Binding.bind(
            situation.workload(),
            Binding.Typing.TEXT,
            box,
            name -> {
              UUID id = situation.uses().get(name);
              return id == null ? new Binding.Answer.Absent() : verdicts.answer(id);
            });
    if (!bound.complete()) {
      problems.add(
          new Problem(
              "workload",
              new Reason(Reason.INVALID_INPUT, String.join("; ", bound.missing()), bound.hint())));
      return false;
    }
    String hash = new Fingerprint(box).of(bound.value());
    if (!hash.equals(situation.workloadHash())) {
      moves.add(new Move.Bind(bound.map(), hash));
    }
    return true;
  }
}
