package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.KnownResource.Dependency;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.plan.ResourceHealth;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resources of the application {@code shop} in memory, moved as the store moves its rows. */
final class ModelApplication {
  final Map<String, ModelResource> resources = new TreeMap<>();
  final List<String> started = new ArrayList<>();
  final List<String> looked = new ArrayList<>();
  Instant now = ResourceWords.ENDED;
  String type = "postgres";
  private int runs;

  /** A resource. */
  final class ModelResource {
    final String name;
    final UUID id;
    boolean wanted = true;
    boolean replacing;
    String size = "1";
    DeletionPolicy policy = DeletionPolicy.DELETE;
    Set<String> named = Set.of();
    List<Dependency> dependencies = new ArrayList<>();
    @Nullable Map<String, @Nullable Object> applied;
    @Nullable String appliedHash;
    @Nullable Map<String, @Nullable Object> attempted;
    @Nullable String attemptedHash;
    Map<String, @Nullable Object> outputs = Map.of();
    ResourceState state = ResourceState.REQUESTED;
    @Nullable Map<String, @Nullable Object> reason;
    boolean everActive;
    boolean everStarted;
    boolean deleteFailed;
    int incarnation = 1;
    int host;
    @Nullable UUID run;
    Work work = Work.NONE;
    @Nullable UUID waitsFor;
    @Nullable GateRecord gate = GateRecord.CLOSED;
    @Nullable Instant made;
    @Nullable Instant ended;
    @Nullable Observation observed;

    ModelResource(String name) {
      this.name = name;
      this.id = ResourceWords.id(name);
    }

    private Map<String, @Nullable Object> params() {
      StringBuilder text = new StringBuilder(size);
      named.forEach(n -> text.append("${resources.").append(n).append(".host}"));
      return Map.of("size", text.toString());
    }

    KnownResource known() {
      return new KnownResource(
          id,
          type + ".default#shop." + name,
          type,
          "default",
          name,
          ResourceWords.SHOP,
          ResourceWords.SHOP,
          "shop-team",
          wanted ? List.of(ResourceWords.SHOP) : List.of(),
          wanted ? Map.of(ResourceWords.SHOP, "shop-team") : Map.of(),
          wanted,
          false,
          replacing,
          Map.of(),
          params(),
          applied,
          appliedHash,
          attempted,
          attemptedHash,
          outputs,
          null,
          List.of(),
          policy,
          "main-team",
          state,
          Instant.EPOCH,
          reason,
          everActive,
          everStarted,
          deleteFailed,
          incarnation,
          run,
          work,
          List.copyOf(dependencies),
          waitsFor,
          new ResourceHealth(
              node(),
              made == null ? Instant.EPOCH : made,
              ended,
              Optional.ofNullable(gate),
              Optional.ofNullable(observed)),
          1);
    }

    private NodeRef node() {
      return new NodeRef("resource", "shop:" + name, "default");
    }

    void begin() {
      work = Work.STARTED;
      everStarted = true;
      if (state == ResourceState.REQUESTED) {
        state = ResourceState.PROVISIONING;
      }
    }

    /** How a run ends. */
    enum End {
      SUCCEEDED,
      FAILED,
      ROLLED_BACK
    }

    void end(End how, boolean otherOutputs) {
      work = Work.NONE;
      now = now.plusMillis(1);
      ended = now;
      if (how == End.SUCCEEDED) {
        reason = null;
        if (state == ResourceState.DEPROVISIONING) {
          state = ResourceState.DELETED;
          outputs = Map.of();
          return;
        }
        state = ResourceState.ACTIVE;
        everActive = true;
        applied = attempted;
        appliedHash = attemptedHash;
        host += otherOutputs || outputs.isEmpty() ? 1 : 0;
        outputs = Map.of("host", name + host % 10);
        return;
      }
      deleteFailed = state == ResourceState.DEPROVISIONING;
      reason = Map.of("code", "StepFailed", "message", "broken");
      state =
          how == End.ROLLED_BACK && state == ResourceState.UPDATING
              ? ResourceState.DEGRADED
              : ResourceState.FAILED;
    }

    /** A look finds that health, in an attempt that may be an earlier one. */
    void sampled(Health health, boolean fresh) {
      now = now.plusMillis(1);
      Sample sample =
          new Sample(
              node(),
              health,
              now,
              fresh && run != null ? Optional.of(run.toString()) : Optional.empty(),
              String.valueOf(appliedHash),
              List.of(),
              "",
              "read");
      observed = observed == null ? Observation.first(sample) : observed.then(sample);
    }

    /** Whether a look may open its gate. */
    boolean gated() {
      return (state == ResourceState.ACTIVE || state == ResourceState.DEGRADED)
          && work == Work.NONE
          && !known().health().open();
    }

    /** What a look that found this does to its state. */
    void found(Health health) {
      switch (health) {
        case MISSING -> differs(StepError.MISSING);
        case DEGRADED -> differs(StepError.DRIFT);
        case HEALTHY -> {
          if (state == ResourceState.DEGRADED) {
            look("");
          }
        }
        case PROGRESSING, SUSPENDED, UNKNOWN, FAILED -> {}
      }
    }

    private void differs(String code) {
      if (state == ResourceState.ACTIVE) {
        look(code);
      }
    }

    /** A look finds it otherwise, or as it was left. */
    boolean look(String code) {
      if (state == ResourceState.ACTIVE) {
        state = ResourceState.DEGRADED;
        reason = Map.of("code", code, "message", "seen");
        return true;
      }
      boolean drifted = reason != null && !"StepFailed".equals(reason.get("code"));
      if (state == ResourceState.DEGRADED && drifted) {
        state = ResourceState.ACTIVE;
        reason = null;
        return true;
      }
      return false;
    }
  }

  ModelResource resource(String name) {
    return resources.computeIfAbsent(name, ModelResource::new);
  }

  private ModelResource resource(UUID id) {
    return resource(ResourceWords.name(id));
  }

  /** What a decision about everything sees. */
  List<KnownResource> living(Set<UUID> also) {
    return resources.values().stream()
        .filter(h -> h.state != ResourceState.DELETED || h.wanted || also.contains(h.id))
        .map(ModelResource::known)
        .toList();
  }

  /** As the store reads it. */
  List<KnownResource> near(Set<UUID> core, Set<UUID> changed) {
    Set<UUID> all = new HashSet<>(core);
    for (ModelResource resource : resources.values()) {
      for (Dependency dependency : resource.dependencies) {
        if (core.contains(resource.id)) {
          all.add(dependency.on());
        }
        if (core.contains(dependency.on()) && !resource(dependency.on()).wanted) {
          all.add(resource.id);
        }
      }
    }
    return living(changed).stream().filter(r -> all.contains(r.id())).toList();
  }

  /** With the neighbours that listen to them. */
  Set<UUID> core(Set<UUID> given, Set<UUID> expanded) {
    Set<UUID> core = new HashSet<>(given);
    core.addAll(expanded);
    for (ModelResource resource : resources.values()) {
      for (Dependency dependency : resource.dependencies) {
        ModelResource on = resource(dependency.on());
        if (expanded.contains(on.id) && resource.wanted && listens(resource, on)) {
          core.add(resource.id);
        }
        if (expanded.contains(resource.id) && !on.wanted && listens(on, resource)) {
          core.add(on.id);
        }
      }
    }
    return core;
  }

  private static boolean listens(ModelResource resource, ModelResource to) {
    return resource.waitsFor == null
        || resource.waitsFor.equals(to.id)
        || resource.waitsFor.equals(resource.id);
  }

  /** Writes a decision down. */
  void write(List<Move> moves, List<Decision.Wait> waits) {
    Map<Class<?>, List<Move>> byKind = new HashMap<>();
    moves.forEach(m -> byKind.computeIfAbsent(m.getClass(), k -> new ArrayList<>()).add(m));
    for (Class<?> kind :
        List.of(
            Move.Revive.class,
            Move.Transit.class,
            Move.Drop.class,
            Move.Forget.class,
            Move.Complain.class,
            Move.Start.class,
            Move.Judged.class,
            Move.Look.class)) {
      byKind.getOrDefault(kind, List.of()).forEach(this::write);
    }
    waits.forEach(w -> resource(w.resource()).waitsFor = w.on());
  }

  private void write(Move move) {
    switch (move) {
      case Move.Revive(UUID id) -> {
        ModelResource fresh = new ModelResource(resource(id).name);
        ModelResource old = resource(id);
        fresh.size = old.size;
        fresh.named = old.named;
        fresh.policy = old.policy;
        fresh.dependencies = old.dependencies;
        fresh.incarnation = old.incarnation + 1;
        fresh.host = old.host;
        resources.put(fresh.name, fresh);
      }
      case Move.Transit transit -> {
        ModelResource resource = resource(transit.resource());
        resource.state = transit.to();
        resource.reason = transit.reason() == null ? null : transit.reason().tree();
        resource.deleteFailed = false;
      }
      case Move.Drop drop -> {
        resource(drop.resource()).work = Work.NONE;
      }
      case Move.Forget(UUID id) -> resource(id).dependencies.removeIf(d -> !d.wanted());
      case Move.Complain complaint ->
          resource(complaint.resource()).reason =
              complaint.reason() == null ? null : complaint.reason().tree();
      case Move.Start start -> {
        ModelResource resource = resource(start.resource().id());
        resource.run = new UUID(7, ++runs);
        resource.made = now;
        resource.ended = null;
        resource.gate = GateRecord.CLOSED;
        resource.work = Work.UNSTARTED;
        resource.attemptedHash = start.hash();
        if (start.operation() != Operation.DELETE) {
          resource.attempted = start.params();
        }
        started.add(start.operation().text() + " " + resource.name);
      }
      case Move.Judged(UUID id, GateRecord gate) -> resource(id).gate = gate;
      case Move.Look look -> looked.add(look.resource().name());
      case Move.Cancel cancel -> {}
      case Move.Bind bind -> {}
    }
  }

  /** What it is in the end. */
  Map<String, String> states() {
    Map<String, String> states = new LinkedHashMap<>();
    resources.forEach((name, h) -> states.put(name, h.state.text() + " " + h.applied));
    return states;
  }
}
