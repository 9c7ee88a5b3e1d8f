package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Binding;
import dev.slipway.applications.plan.KnownResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one round has decided so far about which resource, and what follows for its neighbours. */
final class Verdicts {
  private final Situation situation;
  private final @Nullable Set<UUID> scope;
  private final Map<UUID, KnownResource> byId = new LinkedHashMap<>();
  private final Map<UUID, ResourceVerdict> verdicts = new LinkedHashMap<>();
  private final Map<UUID, Integer> places = new HashMap<>();
  private final Map<UUID, List<KnownResource>> needing = new HashMap<>();
  private final Set<UUID> forgetting = new HashSet<>();

  /** Only resources of the scope are decided about; null: all. */
  Verdicts(Situation situation, @Nullable Set<UUID> scope) {
    this.situation = situation;
    this.scope = scope;
    for (KnownResource resource : situation.resources()) {
      byId.put(resource.id(), resource);
      resource
          .dependencies()
          .forEach(d -> needing.computeIfAbsent(d.on(), k -> new ArrayList<>()).add(resource));
    }
  }

  Collection<KnownResource> resources() {
    return byId.values();
  }

  void put(KnownResource resource, ResourceVerdict verdict) {
    places.put(resource.id(), verdicts.size());
    verdicts.put(resource.id(), verdict);
    for (Move move : verdict.moves()) {
      if (move instanceof Move.Forget(UUID id)) {
        forgetting.add(id);
      }
    }
  }

  KnownResource known(UUID id) {
    return Objects.requireNonNull(byId.get(id), "the order holds ids of known resources");
  }

  boolean decides(UUID id) {
    return scope == null || scope.contains(id);
  }

  /** Those that a decision was made about. */
  List<KnownResource> decided() {
    return verdicts.keySet().stream().map(this::known).toList();
  }

  /** What is decided about last also moves last, as a rule. */
  int place(UUID id) {
    return places.getOrDefault(id, -1);
  }

  static List<UUID> needs(KnownResource resource) {
    return resource.dependencies().stream()
        .filter(KnownResource.Dependency::wanted)
        .map(KnownResource.Dependency::on)
        .toList();
  }

  List<UUID> needing(KnownResource resource) {
    return dependents(resource).stream().map(KnownResource::id).toList();
  }

  boolean mine(KnownResource resource) {
    return resource.owner().equals(situation.application());
  }

  Binding.Answer answer(UUID id) {
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
    ResourceVerdict verdict = verdicts.get(resource.id());
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
    ResourceVerdict verdict = verdicts.get(resource.id());
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
  List<KnownResource> dependents(KnownResource resource) {
    List<KnownResource> found = new ArrayList<>();
    for (KnownResource dependent : needing.getOrDefault(resource.id(), List.of())) {
      ResourceVerdict verdict = verdicts.get(dependent.id());
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
  List<ResourceVerdict> concerned() {
    Set<UUID> used = Set.copyOf(situation.uses().values());
    List<ResourceVerdict> concerned = new ArrayList<>();
    for (KnownResource resource : byId.values()) {
      boolean counts = used.contains(resource.id()) || mine(resource) && !resource.detached();
      ResourceVerdict verdict =
          verdicts.getOrDefault(resource.id(), ResourceVerdict.waiting(resource.state()));
      if (counts && verdict.state() != ResourceState.DELETED) {
        concerned.add(verdict);
      }
    }
    return concerned;
  }

  /** Whether something is under way. */
  boolean moving() {
    return verdicts.values().stream().anyMatch(ResourceVerdict::goesOn);
  }

  /** When one of the gates is judged again at the latest. */
  Optional<Instant> until() {
    return verdicts.values().stream()
        .map(ResourceVerdict::until)
        .filter(Objects::nonNull)
        .min(Instant::compareTo);
  }
}
