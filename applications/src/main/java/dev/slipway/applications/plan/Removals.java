package dev.slipway.applications.plan;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Planned.Assignment;
import dev.slipway.applications.plan.Planned.Removal;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What becomes of resources that are asked for no more. */
final class Removals {
  private final ApplicationRefs refs;
  private final Offers offers;
  private final Planner.Question question;
  private final List<String> undeletable = new ArrayList<>();
  private final List<Planned.Obstacle> obstacles = new ArrayList<>();

  Removals(ApplicationRefs refs, Offers offers, Planner.Question question) {
    this.refs = refs;
    this.offers = offers;
    this.question = question;
  }

  List<String> undeletable() {
    return List.copyOf(undeletable);
  }

  List<Planned.Obstacle> obstacles() {
    return List.copyOf(obstacles);
  }

  List<Removal> of(List<KnownResource> known, Collection<Assignment> assignments) {
    Set<String> kept =
        assignments.stream().map(a -> a.wanted().identity()).collect(Collectors.toSet());
    Map<UUID, KnownResource> byId = new HashMap<>();
    known.forEach(k -> byId.put(k.id(), k));
    return known.stream()
        .filter(k -> k.state() != ResourceState.DELETED)
        .filter(k -> k.users().contains(question.application()))
        .filter(k -> !kept.contains(k.identity()))
        .sorted(Comparator.comparing(KnownResource::name))
        .map(k -> removal(k, byId))
        .toList();
  }

  private Removal removal(KnownResource known, Map<UUID, KnownResource> byId) {
    if (!known.users().equals(List.of(question.application()))) {
      leftToOtherTeams(known);
      return removal(known, Removal.Kind.RELEASE, Change.NO_OP, "released", null, byId);
    }
    boolean untouched = !known.everStarted() && !known.busy();
    if (!untouched && policy(known) == DeletionPolicy.RETAIN) {
      return removal(known, Removal.Kind.RETAIN, Change.NO_OP, "retained", null, byId);
    }
    if (policy(known) == DeletionPolicy.ORPHAN) {
      return removal(known, Removal.Kind.ORPHAN, Change.DELETE, "orphaned", null, byId);
    }
    if (offers.with(known, Operation.DELETE) instanceof Resolution.Found(var definition, var _)) {
      return removal(known, Removal.Kind.DELETE, Change.DELETE, null, definition, byId);
    }
    if (!untouched) {
      undeletable.add(known.name());
    }
    return removal(known, Removal.Kind.DELETE, Change.DELETE, null, null, byId);
  }

  /** Ownership stays in its team: an owner that leaves no user of its own team cannot leave. */
  private void leftToOtherTeams(KnownResource known) {
    boolean heir =
        known.userTeams().entrySet().stream()
            .anyMatch(
                user ->
                    !user.getKey().equals(question.application())
                        && user.getValue().equals(known.team()));
    if (known.owner().equals(question.application()) && !heir) {
      List<String> teams =
          known.userTeams().values().stream()
              .filter(team -> !team.equals(known.team()))
              .distinct()
              .sorted()
              .toList();
      obstacles.add(
          new Planned.Obstacle(
              "used-by-other-teams",
              "'" + known.name() + "' is used by " + String.join(", ", teams),
              "They have to remove it from their documents first.",
              teams));
    }
  }

  private DeletionPolicy policy(KnownResource known) {
    boolean orphan =
        question.orphan().contains(known.name())
            || question.orphan().contains(Planner.Question.ALL);
    return orphan ? DeletionPolicy.ORPHAN : known.deletionPolicy();
  }

  private Removal removal(
      KnownResource known,
      Removal.Kind kind,
      Change change,
      @Nullable String note,
      Resolution.@Nullable Definition definition,
      Map<UUID, KnownResource> byId) {
    List<Plan.Dependency> dependsOn =
        known.dependencies().stream()
            .flatMap(d -> Stream.ofNullable(byId.get(d.on())))
            .map(on -> new Plan.Dependency(on.name(), refs.resource(on.identity())))
            .distinct()
            .sorted(Plan.Dependency.BY_NAME)
            .toList();
    return new Removal(
        known,
        kind,
        new Plan.Item(
            known.name(),
            known.identity(),
            refs.resource(known.identity()),
            known.type(),
            change,
            known.provider(),
            definition == null ? null : definition.workflow().name(),
            definition == null ? null : definition.hash(),
            List.of(),
            dependsOn,
            note));
  }
}
