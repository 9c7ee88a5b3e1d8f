package dev.slipway.postgres;

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
 * lifecycles do not have.
 */
public final class LifecycleGuard {
  private LifecycleGuard() {}

  public static void install(Jdbi jdbi) {
    jdbi.useTransaction(
        h -> {
          try {
            new StateGuard(h.getConnection())
                .moves("runs", moves(Lifecycles.RUN))
                .moves("steps", moves(Lifecycles.STEP));
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
