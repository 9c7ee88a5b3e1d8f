package dev.slipway.engine.progress;

import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.engine.plan.Binding;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.plan.KnownResource;
import dev.slipway.engine.plan.Offers;
import dev.slipway.engine.progress.Decision.Problem;
import dev.slipway.engine.progress.Situation.Deployment.Status;
import dev.slipway.engine.progress.Situation.Phase;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What next for an application? A pure function of where everything stands, so that it can be asked
 * again at any time: nothing is lost when an answer is, and asking twice does nothing twice. Only
 * the owner of a shared resource moves it.
 */
public final class Progress {
  /** Moves are written in this order, which is the database's order of ids: no deadlock. */
  private static final Comparator<UUID> BY_ID =
      Comparator.<UUID>comparingLong(id -> id.getMostSignificantBits() ^ Long.MIN_VALUE)
          .thenComparingLong(id -> id.getLeastSignificantBits() ^ Long.MIN_VALUE);

  private final Offers offers;
  private final SecretBox box;

  /** With these offers, and the key that secrets are sealed under. */
  public Progress(Offers offers, SecretBox box) {
    this.offers = offers;
    this.box = box;
  }

  /** The answer. */
  public Decision decide(Situation situation) {
    return new Round(situation).decide();
  }

  /** The parameters of a run that is not part of a decision: a look at a resource. */
  public Map<String, @Nullable Object> parameters(
      Situation situation,
      KnownResource resource,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> params) {
    return switch (new RunParameters(situation, box)
        .bind(resource, operation, definition, params)) {
      case RunParameters.Result.Bound(var values) -> values;
      case RunParameters.Result.Refused(Reason reason) ->
          throw new RefusedException(
              new Refusal.Conflict(
                  "invalid-input", reason.message(), reason.hint(), List.of(resource.name())));
    };
  }

  /** One question and what has been found out about it so far. */
  private final class Round {
    private final Situation situation;
    private final Map<UUID, KnownResource> byId = new LinkedHashMap<>();
    private final Map<UUID, Standing> standings = new HashMap<>();
    private final Map<UUID, List<KnownResource>> needing = new HashMap<>();
    private final Set<UUID> forgetting = new HashSet<>();
    private final List<Move> moves = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    Round(Situation situation) {
      this.situation = situation;
      for (KnownResource resource : situation.resources()) {
        byId.put(resource.id(), resource);
        resource
            .dependencies()
            .forEach(d -> needing.computeIfAbsent(d.on(), k -> new ArrayList<>()).add(resource));
      }
    }

    Decision decide() {
      upwards();
      downwards();
      List<Standing> concerned = concerned();
      boolean settled = concerned.stream().allMatch(Standing::done);
      boolean bound = settled && situation.phase() == Phase.LIVE && bindWorkload();
      return new Decision(moves, state(concerned), deployment(concerned, settled, bound), problems);
    }

    /** What is wanted, dependencies first. */
    private void upwards() {
      Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
      for (KnownResource resource : byId.values()) {
        if (resource.wanted() && !resource.detached()) {
          needs.put(
              resource.id(),
              resource.dependencies().stream()
                  .filter(KnownResource.Dependency::wanted)
                  .map(KnownResource.Dependency::on)
                  .toList());
        }
      }
      Upwards upwards = new Upwards(offers, box, situation);
      for (UUID id : Dag.of(needs).sorted()) {
        KnownResource resource = known(id);
        record(resource, mine(resource) ? upwards.next(resource, this::answer) : seen(resource));
      }
    }

    /** What is not wanted any more, dependents first. */
    private void downwards() {
      Map<UUID, List<UUID>> needs = new TreeMap<>(BY_ID);
      for (KnownResource resource : byId.values()) {
        if (!resource.wanted() && !resource.detached() && mine(resource)) {
          needs.put(
              resource.id(),
              resource.dependencies().stream().map(KnownResource.Dependency::on).toList());
        }
      }
      Downwards downwards = new Downwards(offers, box, situation);
      for (UUID id : Dag.of(needs).sorted().reversed()) {
        KnownResource resource = known(id);
        record(resource, downwards.next(resource, dependents(resource)));
      }
    }

    private KnownResource known(UUID id) {
      return Objects.requireNonNull(byId.get(id), "the order holds ids of known resources");
    }

    private void record(KnownResource resource, Standing standing) {
      standings.put(resource.id(), standing);
      moves.addAll(standing.moves());
      for (Move move : standing.moves()) {
        if (move instanceof Move.Forget(UUID id)) {
          forgetting.add(id);
        }
      }
      standing.problem().ifPresent(reason -> problems.add(new Problem(resource.name(), reason)));
    }

    /** A resource that somebody else moves. */
    private Standing seen(KnownResource resource) {
      if (resource.ready()) {
        return Standing.done(resource.state());
      }
      return resource.state() == ResourceState.FAILED && !resource.busy()
          ? Standing.stuck(resource.state(), Reason.of(resource))
          : Standing.waiting(resource.state());
    }

    private boolean mine(KnownResource resource) {
      return resource.owner().equals(situation.application());
    }

    private Binding.Answer answer(UUID id) {
      KnownResource resource = byId.get(id);
      Standing standing = standings.get(id);
      if (resource == null) {
        return new Binding.Answer.Absent();
      }
      return standing != null && standing.done() && resource.ready()
          ? new Binding.Answer.Ready(id.toString(), resource.outputs())
          : new Binding.Answer.Pending();
    }

    /** Who still needs it: now, or until the configuration that does without it is in place. */
    private Set<String> dependents(KnownResource resource) {
      Set<String> names = new TreeSet<>();
      for (KnownResource dependent : needing.getOrDefault(resource.id(), List.of())) {
        Standing standing = standings.get(dependent.id());
        ResourceState state = standing == null ? dependent.state() : standing.state();
        boolean gone = state == ResourceState.DELETED || dependent.detached();
        if (!gone && needs(dependent, resource.id())) {
          names.add(dependent.name());
        }
      }
      return names;
    }

    private boolean needs(KnownResource dependent, UUID on) {
      boolean forgets = forgetting.contains(dependent.id());
      return dependent.dependencies().stream()
          .anyMatch(d -> d.on().equals(on) && (d.wanted() || !forgets));
    }

    /** Everything whose state is the application's. */
    private List<Standing> concerned() {
      Set<UUID> used = Set.copyOf(situation.uses().values());
      List<Standing> concerned = new ArrayList<>();
      for (KnownResource resource : byId.values()) {
        boolean counts = used.contains(resource.id()) || mine(resource) && !resource.detached();
        Standing standing =
            standings.getOrDefault(resource.id(), Standing.waiting(resource.state()));
        if (counts && standing.state() != ResourceState.DELETED) {
          concerned.add(standing);
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
                new Reason(
                    Reason.INVALID_INPUT, String.join("; ", bound.missing()), bound.hint())));
        return false;
      }
      String hash = new Fingerprint(box).of(bound.value());
      if (!hash.equals(situation.workloadHash())) {
        moves.add(new Move.Bind(bound.map(), hash));
      }
      return true;
    }

    private ResourceState state(List<Standing> concerned) {
      if (situation.phase() == Phase.TEARDOWN) {
        if (concerned.isEmpty()) {
          return ResourceState.DELETED;
        }
        boolean failed = concerned.stream().anyMatch(s -> s.state() == ResourceState.FAILED);
        boolean moving = concerned.stream().anyMatch(s -> s.kind() == Standing.Kind.MOVING);
        return failed && !moving ? ResourceState.FAILED : ResourceState.DEPROVISIONING;
      }
      return Lifecycles.ofApplication(concerned.stream().map(Standing::state).toList());
    }

    private @Nullable Status deployment(List<Standing> concerned, boolean settled, boolean bound) {
      if (situation.deployment() == null) {
        return null;
      }
      if (situation.deployment().status() == Status.COMPLETED) {
        return Status.COMPLETED;
      }
      boolean moving = concerned.stream().anyMatch(s -> s.kind() == Standing.Kind.MOVING);
      if (moving) {
        return Status.RUNNING;
      }
      boolean complete =
          situation.phase() == Phase.TEARDOWN ? concerned.isEmpty() : settled && bound;
      if (complete) {
        return Status.COMPLETED;
      }
      return problems.isEmpty() ? Status.RUNNING : Status.FAILED;
    }
  }
}
