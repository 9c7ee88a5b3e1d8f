package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.progress.Decision;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Neighbourhood;
import dev.slipway.applications.progress.NeighbourhoodDecision;
import dev.slipway.applications.progress.Progress;
import dev.slipway.applications.progress.Situation;
import dev.slipway.applications.progress.Situation.Deployment.Status;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Works out what follows from reports about a few resources. It reads these and their neighbours,
 * and comes to the same moves as a look at everything. Gives up where it cannot be sure of that:
 * when no run works on the application any more, its deployment ends or fails, for which everything
 * counts.
 */
record ItemTurn(ApplicationContext context, MetadataCache metadata) {
  /** Each time the levels of dependents that are read double. */
  private static final int WIDENED_AT_MOST = 8;

  /** A turn about more resources is one about everything, which starts runs in portions. */
  private static final int MOST = 1_000;

  /**
   * What a turn is about.
   *
   * @param items resources about which another decision may come out
   * @param applied reports that this turn has applied, all of them about items
   * @param opening items whose gates a look that this turn has applied may open
   */
  record Changed(Set<UUID> items, List<Reports.Applied> applied, Set<UUID> opening) {

    /** Those that were active, or are active or gone now, or whose gates may open. */
    Set<UUID> flipped() {
      Set<UUID> flipped = new HashSet<>(opening);
      for (Reports.Applied report : applied) {
        if (report.from() != report.to()
            && (report.from() == ResourceState.ACTIVE
                || report.to() == ResourceState.ACTIVE
                || report.to() == ResourceState.DELETED)) {
          flipped.add(report.resource());
        }
      }
      return flipped;
    }
  }

  private record Seen(Situation situation, NeighbourhoodDecision.Decided decided) {}

  /** Empty: everything has to be looked at. */
  Optional<Advance.Result> in(
      Handle handle, ApplicationRow application, EnvironmentRow environment, Changed changed)
      throws SQLException {
    Optional<Seen> found = decide(handle, application, environment, changed);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Seen seen = found.get();
    List<Move> moves = seen.decided().moves();
    if (!Advance.taken(handle.getConnection(), moves).isEmpty()) {
      return Optional.empty();
    }
    if (!seen.decided().moving()
        && !AggregateState.moving(handle, application.id(), judged(moves))) {
      return Optional.empty();
    }
    Situation situation =
        moves.stream().anyMatch(m -> m instanceof Move.Start || m instanceof Move.Look)
            ? seen.situation().with(metadata.of(handle, application))
            : seen.situation();
    MoveWriter writer = new MoveWriter(context, handle, situation);
    List<Event> events = new ArrayList<>(writer.write(moves, seen.decided().waits()));
    Decision decision =
        new Decision(
            moves,
            seen.decided().waits(),
            AggregateState.state(handle, application.id(), situation.phase()),
            status(situation),
            List.of(),
            false,
            seen.decided().until());
    events.addAll(
        new StateWriter(context, handle)
            .write(application, situation, decision, activated(situation, changed, moves)));
    return Optional.of(new Advance.Result(decision, events, writer.cancels()));
  }

  private static List<UUID> judged(List<Move> moves) {
    return moves.stream()
        .filter(Move.Judged.class::isInstance)
        .map(Move.Judged.class::cast)
        .map(Move.Judged::resource)
        .toList();
  }

  private Optional<Seen> decide(
      Handle handle, ApplicationRow application, EnvironmentRow environment, Changed changed)
      throws SQLException {
    Progress progress = context.progress(environment.name());
    Optional<Situations.InForce> inForce = Situations.inForce(handle, application.id());
    Set<UUID> flipped = changed.flipped();
    LockedNeighbourhood around =
        LockedNeighbourhood.of(handle.getConnection(), application.id(), changed.items(), flipped);
    for (int widened = 0; widened <= WIDENED_AT_MOST; widened++) {
      if (around.core().size() > MOST) {
        return Optional.empty();
      }
      Situation situation =
          Situations.near(
                  application,
                  environment,
                  inForce,
                  KnownResources.load(handle.getConnection(), around.all().toArray(UUID[]::new)),
                  changed.items())
              .at(context.now());
      Neighbourhood neighbourhood =
          new Neighbourhood(changed.items(), flipped, around.core(), around.expanded());
      switch (progress.decide(situation, neighbourhood)) {
        case NeighbourhoodDecision.Decided decided -> {
          return Optional.of(new Seen(situation, decided));
        }
        case NeighbourhoodDecision.Wider(Set<UUID> core, Set<UUID> expanded) ->
            around = around.wider(handle.getConnection(), core, expanded, 1 << widened);
      }
    }
    return Optional.empty();
  }

  /** While a run works on one of its resources. */
  private static @Nullable Status status(Situation situation) {
    if (situation.deployment() == null) {
      return null;
    }
    return situation.deployment().status() == Status.COMPLETED ? Status.COMPLETED : Status.RUNNING;
  }

  /** How many more of the names that it has for resources stand for an active one. */
  private static int activated(Situation situation, Changed changed, List<Move> moves) {
    Map<UUID, Integer> by = new HashMap<>();
    for (Reports.Applied report : changed.applied()) {
      by.merge(report.resource(), step(report.from(), report.to()), Integer::sum);
    }
    for (Move move : moves) {
      if (move instanceof Move.Transit transit) {
        by.merge(transit.resource(), step(transit.from(), transit.to()), Integer::sum);
      }
    }
    return situation.uses().values().stream().mapToInt(id -> by.getOrDefault(id, 0)).sum();
  }

  private static int step(ResourceState from, ResourceState to) {
    return (to == ResourceState.ACTIVE ? 1 : 0) - (from == ResourceState.ACTIVE ? 1 : 0);
  }
}
