package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Decision;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Works out an application's next move and writes it down, inside a transaction that holds the
 * application's row. No effect outside of the database: it can be repeated at any time.
 */
record Advance(ApplicationContext context) {
  /**
   * The result of a turn.
   *
   * @param events to be appended at the end of the transaction
   * @param cancels runs to be stopped once it is committed
   */
  record Result(Decision decision, List<Event> events, List<UUID> cancels) {
    /** When the next turn is due at the latest; empty: at the next signal. */
    Optional<Instant> due(Instant now) {
      if (decision.more()) {
        return Optional.of(now);
      }
      Optional<Instant> asked =
          cancels.isEmpty()
              ? Optional.empty()
              : Optional.of(now.plus(ApplicationReconciler.ASKED_AGAIN));
      return Stream.of(asked, decision.until()).flatMap(Optional::stream).min(Instant::compareTo);
    }
  }

  /** In a request, which takes no turn: the turn that has to follow is asked for. */
  Result request(Handle handle, ApplicationRow application, EnvironmentRow environment)
      throws SQLException {
    Result result = in(handle, application, environment);
    result
        .decision()
        .until()
        .ifPresent(until -> ApplicationKey.later(handle, application.id(), until));
    return result;
  }

  Result in(Handle handle, ApplicationRow application, EnvironmentRow environment)
      throws SQLException {
    Situation situation = Situations.read(context, handle, application, environment);
    Decision decision = context.progress(environment.name()).decide(situation);
    Set<UUID> taken = taken(handle.getConnection(), decision.moves());
    if (!taken.isEmpty()) {
      situation = started(situation, taken);
      decision = context.progress(environment.name()).decide(situation);
    }
    MoveWriter writer = new MoveWriter(context, handle, situation);
    List<Event> events = new ArrayList<>(writer.write(decision.moves(), decision.waits()));
    events.addAll(new StateWriter(context, handle).write(application, situation, decision));
    if (decision.more()) {
      ApplicationKey.later(handle, application.id(), context.now());
    }
    return new Result(decision, events, writer.cancels());
  }

  /**
   * Stops runs after the commit; a wake-up written with the decision asks again if this is lost.
   */
  static void stop(RunStore runs, ApplicationContext context, List<UUID> cancels) {
    if (!cancels.isEmpty()) {
      context.afterCommit(
          () -> cancels.forEach(id -> runs.cancel(id, RunStore.Cancel.REQUESTED, context.now())));
    }
  }

  /**
   * Runs that should be dropped but that a replica has claimed meanwhile. The rows of all other
   * runs are locked, so that no replica claims them before this transaction ends. Skips locked rows
   * instead of waiting: a run's owner locks its run before its resource, and this transaction holds
   * the lock of the resource.
   */
  static Set<UUID> taken(Connection connection, List<Move> moves) throws SQLException {
    Set<UUID> runs = new HashSet<>();
    for (Move move : moves) {
      if (move instanceof Move.Drop drop) {
        runs.add(drop.run());
      }
    }
    if (runs.isEmpty()) {
      return runs;
    }
    try (PreparedStatement lock =
        connection.prepareStatement(
            "SELECT id FROM runs WHERE id = ANY (?) AND state = 'pending' AND epoch = 0"
                + " FOR UPDATE SKIP LOCKED")) {
      lock.setArray(1, connection.createArrayOf("uuid", runs.toArray()));
      try (ResultSet rs = lock.executeQuery()) {
        while (rs.next()) {
          runs.remove(rs.getObject(1, UUID.class));
        }
      }
    }
    return runs;
  }

  private static Situation started(Situation s, Set<UUID> taken) {
    List<KnownResource> resources =
        s.resources().stream()
            .map(r -> r.run() != null && taken.contains(r.run()) ? r.started() : r)
            .toList();
    return s.with(resources);
  }
}
