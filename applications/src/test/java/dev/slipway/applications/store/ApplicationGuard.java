package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.Transitions;
import dev.slipway.testbed.StateGuard;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Jdbi;

/**
 * Makes a test database refuse every change of a run's or step's state that the tables of the
 * lifecycles do not have, and every change of a resource's state that its history does not record
 * move by move, each by an actor who may make it.
 */
final class ApplicationGuard {
  private static final StateGuard.History HISTORY =
      new StateGuard.History("resource_transitions", "resource_id");

  private ApplicationGuard() {}

  static void install(Jdbi jdbi) {
    jdbi.useTransaction(
        h -> {
          try {
            new StateGuard(h.getConnection())
                .moves("runs", moves(Lifecycles.RUN))
                .moves("steps", moves(Lifecycles.STEP))
                .recorded("resources", HISTORY, moves(ResourceLifecycle.TABLE));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static <S extends Enum<S> & State> List<StateGuard.Allowed> moves(Transitions<S> table) {
    return table.rows().stream()
        .flatMap(
            row ->
                row.by().stream()
                    .map(
                        actor ->
                            new StateGuard.Allowed(
                                row.from().text(),
                                row.to().text(),
                                actor.name().toLowerCase(Locale.ROOT))))
        .toList();
  }
}
