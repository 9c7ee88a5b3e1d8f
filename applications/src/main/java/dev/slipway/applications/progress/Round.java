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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
  private final Map<UUID, KnownResource> byId = new LinkedHashMap<>();
  private final Map<UUID, ResourceVerdict> standings = new LinkedHashMap<>();
  private final Map<UUID, Integer> places = new HashMap<>();
  private final Map<UUID, List<KnownResource>> needing = new HashMap<>();
  private final Set<UUID> forgetting = new HashSet<>();
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
    for (KnownResource resource : situation.resources()) {
      byId.put(resource.id(), resource);
      resource
          .dependencies()
          .forEach(d -> needing.computeIfAbsent(d.on(), k -> new ArrayList<>()).add(resource));
    }
  }

  Round moved() {
    upwards();
    downwards();
    return this;
  }

  Decision decide() {
    moved();
    ApplicationOutcome outcome = new ApplicationOutcome(situation, concerned());
    Remaining remaining = remaining(outcome);
    return new Decision(
        moves, waits, outcome.state(), outcome.deployment(remaining), problems, more, until());
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
    boolean moving = standings.values().stream().anyMatch(ResourceVerdict::goesOn);
    return new NeighbourhoodDecision.Decided(moves, waits, moving, until());
  }

  private Optional<Instant> until() {
    return standings.values().stream()
        .map(ResourceVerdict::until)
        .filter(Objects::nonNull)
        .min(Instant::compareTo);
  }

  private boolean decides(UUID id) {
    return scope == null || scope.contains(id);
  }

  /** Those that a decision was made about. */
  List<KnownResource> decided() {
    return standings.keySet().stream().map(this::known).toList();
  }

  /** What is wanted, dependencies first. */
  private void upwards() {
    Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
    for (KnownResource resource : byId.values()) {
      if (resource.wanted() && !resource.detached() && decides(resource.id())) {
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
      KnownResource resource = known(id);
      if (enoughBegin()) {
        leaveOut(resource);
        continue;
      }
      record(resource, mine(resource) ? provisioning.next(resource, this::answer) : seen(resource));
    }
  }

  /** What is not wanted any more, dependents first. */
  private void downwards() {
    Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
    for (KnownResource resource : byId.values()) {
      if (!resource.wanted() && !resource.detached() && mine(resource) && decides(resource.id())) {
        needs.put(
            resource.id(),
            resource.dependencies().stream().map(KnownResource.Dependency::on).toList());
      }
    }
    Deprovisioning deprovisioning = new Deprovisioning(offers, box, situation);
    for (UUID id : Dag.of(needs).sorted().reversed()) {
      KnownResource resource = known(id);
      if (enoughBegin()) {
        leaveOut(resource);
        continue;
      }
      Set<String> names = new TreeSet<>();
      dependents(resource).forEach(d -> names.add(d.name()));
      record(resource, deprovisioning.next(resource, names));
    }
  }

  private KnownResource known(UUID id) {
    return Objects.requireNonNull(byId.get(id), "the order holds ids of known resources");
  }

  private boolean enoughBegin() {
    return scope == null && starts >= Progress.MOST_STARTS;
  }

  /** It stays as it is until the next decision. */
  private void leaveOut(KnownResource resource) {
    more = true;
    places.put(resource.id(), standings.size());
    standings.put(resource.id(), ResourceVerdict.waiting(resource.state()));
  }

  private void record(KnownResource resource, ResourceVerdict verdict) {
    places.put(resource.id(), standings.size());
    standings.put(resource.id(), verdict);
    moves.addAll(verdict.moves());
    for (Move move : verdict.moves()) {
      if (move instanceof Move.Forget(UUID id)) {
        forgetting.add(id);
      } else if (move instanceof Move.Start || move instanceof Move.Look) {
        starts++;
      }
    }
    verdict.problem().ifPresent(reason -> problems.add(new Problem(resource.name(), reason)));
    if (mine(resource)) {
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
    List<UUID> neighbours = resource.wanted() ? needs(resource) : needing(resource);
    if (!active && neighbours.size() <= FEW) {
      return null;
    }
    List<UUID> pending =
        neighbours.stream()
            .filter(id -> !resource.wanted() || answer(id) instanceof Binding.Answer.Pending)
            .toList();
    if (resource.waitsFor() != null && pending.contains(resource.waitsFor())) {
      return resource.waitsFor();
    }
    return pending.stream()
        .max(Comparator.comparingInt(this::place).thenComparing(BY_ID))
        .orElse(active ? resource.id() : null);
  }

  /** What is decided about last also moves last, as a rule. */
  private int place(UUID id) {
    return places.getOrDefault(id, -1);
  }

  private static List<UUID> needs(KnownResource resource) {
    return resource.dependencies().stream()
        .filter(KnownResource.Dependency::wanted)
        .map(KnownResource.Dependency::on)
        .toList();
  }

  private List<UUID> needing(KnownResource resource) {
    return dependents(resource).stream().map(KnownResource::id).toList();
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

  boolean mine(KnownResource resource) {
    return resource.owner().equals(situation.application());
  }

  private Binding.Answer answer(UUID id) {
    KnownResource resource = byId.get(id);
    if (resource == null || resource.state() == ResourceState.DELETED && !resource.wanted()) {
      return new Binding.Answer.Absent();
    }
    return ready(resource)
        ? new Binding.Answer.Ready(id.toString(), resource.outputs())
        : new Binding.Answer.Pending();
  }

  /** Whether dependents may begin: as decided now, or as the last decision about it was. */
  boolean ready(KnownResource resource) {
    if (!decides(resource.id())) {
      return wasReady(resource);
    }
    ResourceVerdict verdict = standings.get(resource.id());
    return verdict != null && verdict.done() && resource.active();
  }

  /** Whether the last decision about it found that dependents may begin. */
  boolean wasReady(KnownResource resource) {
    boolean asAsked =
        !mine(resource) || !resource.busy() && !resource.replacing() && resource.waitsFor() == null;
    return asAsked && resource.wanted() && !resource.detached() && resource.ready();
  }

  /** Whether it needs less than before: all of it is gone, or what only its old configuration. */
  boolean letsGo(KnownResource resource) {
    ResourceVerdict verdict = standings.get(resource.id());
    return forgetting.contains(resource.id())
        || verdict != null
            && verdict.state() == ResourceState.DELETED
            && resource.state() != ResourceState.DELETED;
  }

  /** Neighbours about which another decision may come out when that one has changed. */
  Set<UUID> concernedBy(KnownResource resource) {
    Set<UUID> concerned = new HashSet<>();
    for (KnownResource dependent : needing.getOrDefault(resource.id(), List.of())) {
      if (dependent.wanted() && listens(dependent, resource.id())) {
        concerned.add(dependent.id());
      }
    }
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      KnownResource on = byId.get(dependency.on());
      if (on != null && !on.wanted() && listens(on, resource.id())) {
        concerned.add(on.id());
      }
    }
    return concerned;
  }

  private boolean listens(KnownResource resource, UUID neighbour) {
    UUID waitsFor = resource.waitsFor();
    return mine(resource)
        && !resource.detached()
        && (waitsFor == null || waitsFor.equals(neighbour) || waitsFor.equals(resource.id()));
  }

  /** Who still needs it: now, or until the configuration that does without it is in place. */
  private List<KnownResource> dependents(KnownResource resource) {
    List<KnownResource> found = new ArrayList<>();
    for (KnownResource dependent : needing.getOrDefault(resource.id(), List.of())) {
      ResourceVerdict verdict = standings.get(dependent.id());
      ResourceState state = verdict == null ? dependent.state() : verdict.state();
      boolean gone = state == ResourceState.DELETED || dependent.detached();
      if (!gone && needs(dependent, resource.id())) {
        found.add(dependent);
      }
    }
    return found;
  }

  private boolean needs(KnownResource dependent, UUID on) {
    boolean forgets = forgetting.contains(dependent.id());
    return dependent.dependencies().stream()
        .anyMatch(d -> d.on().equals(on) && (d.wanted() || !forgets));
  }

  /** Everything whose state is the application's. */
  private List<ResourceVerdict> concerned() {
    Set<UUID> used = Set.copyOf(situation.uses().values());
    List<ResourceVerdict> concerned = new ArrayList<>();
    for (KnownResource resource : byId.values()) {
      boolean counts = used.contains(resource.id()) || mine(resource) && !resource.detached();
      ResourceVerdict verdict =
          standings.getOrDefault(resource.id(), ResourceVerdict.waiting(resource.state()));
      if (counts && verdict.state() != ResourceState.DELETED) {
        concerned.add(verdict);
      }
    }
    return concerned;
  }

  private boolean bindWorkload() {
    Binding.Bound bound =
        Binding.bind(
            situation.workload(),
            Binding.Typing.TEXT,
            box,
            name -> {
              UUID id = situation.uses().get(name);
              return id == null ? new Binding.Answer.Absent() : answer(id);
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
