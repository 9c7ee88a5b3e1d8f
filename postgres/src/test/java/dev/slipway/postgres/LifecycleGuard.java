package dev.slipway.postgres;

import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.Transitions;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Makes a test database refuse every change of a run's or step's state that the tables of the
 * lifecycles do not have, whatever statement makes it, and every change of a resource's state that
 * its history does not record move by move, each by an actor who may make it.
 */
public final class LifecycleGuard {
  private static final String TABLES =
      """
      CREATE TABLE allowed_transitions (lifecycle text, from_state text, to_state text, actor text);

      CREATE FUNCTION refuse_unknown_transition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM allowed_transitions a
                        WHERE a.lifecycle = TG_TABLE_NAME
                          AND a.from_state = OLD.state AND a.to_state = NEW.state) THEN
          RAISE EXCEPTION '% cannot go from % to %: %', TG_TABLE_NAME, OLD.state, NEW.state,
                          current_query();
        END IF;
        RETURN NEW;
      END $$;

      CREATE FUNCTION refuse_unrecorded_move() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        reached text := NEW.state;
        move record;
      BEGIN
        FOR move IN SELECT t.from_state, t.to_state, t.actor FROM resource_transitions t
                     WHERE t.resource_id = NEW.id ORDER BY t.id DESC LIMIT 10 LOOP
          IF move.to_state = reached
             AND EXISTS (SELECT FROM allowed_transitions a
                          WHERE a.lifecycle = 'resources' AND a.from_state = move.from_state
                            AND a.to_state = move.to_state AND a.actor = move.actor) THEN
            reached := move.from_state;
            IF reached = OLD.state THEN
              RETURN NULL;
            END IF;
          END IF;
        END LOOP;
        RAISE EXCEPTION 'the history of resource % has no way from % to %', NEW.id, OLD.state,
                        NEW.state;
      END $$;

      CREATE TRIGGER guard BEFORE UPDATE ON runs FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION refuse_unknown_transition();
      CREATE TRIGGER guard BEFORE UPDATE ON steps FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION refuse_unknown_transition();
      CREATE CONSTRAINT TRIGGER recorded AFTER UPDATE ON resources DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION refuse_unrecorded_move();
      """;

  private LifecycleGuard() {}

  public static void install(Jdbi jdbi) {
    jdbi.useTransaction(LifecycleGuard::install);
  }

  private static void install(Handle handle) {
    try (Statement statement = handle.getConnection().createStatement()) {
      statement.execute(TABLES);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    allow(handle, "runs", Lifecycles.RUN);
    allow(handle, "steps", Lifecycles.STEP);
    allow(handle, "resources", Lifecycles.RESOURCE);
  }

  private static <S extends Enum<S> & State> void allow(
      Handle handle, String lifecycle, Transitions<S> table) {
    for (Transitions.Row<S> row : table.rows()) {
      for (Actor actor : row.by()) {
        handle.execute(
            "INSERT INTO allowed_transitions VALUES (?, ?, ?, ?)",
            lifecycle,
            row.from().text(),
            row.to().text(),
            actor.name().toLowerCase(Locale.ROOT));
      }
    }
  }
}
