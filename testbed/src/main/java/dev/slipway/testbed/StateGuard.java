package dev.slipway.testbed;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Adds triggers to a test database that refuse state changes that a lifecycle does not allow, by
 * any statement.
 */
public final class StateGuard {
  private static final String BASE =
      """
      CREATE TABLE IF NOT EXISTS allowed_transitions (
        lifecycle text, from_state text, to_state text, actor text);

      CREATE OR REPLACE FUNCTION refuse_unknown_transition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM allowed_transitions a
                        WHERE a.lifecycle = TG_TABLE_NAME
                          AND a.from_state = OLD.state AND a.to_state = NEW.state) THEN
          RAISE EXCEPTION '% cannot go from % to %: %', TG_TABLE_NAME, OLD.state, NEW.state,
                          current_query();
        END IF;
        RETURN NEW;
      END $$;
      """;

  private static final String MOVES =
      """
      CREATE TRIGGER guard BEFORE UPDATE ON %s FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION refuse_unknown_transition();
      """;

  private static final String RECORDED =
      """
      CREATE FUNCTION refuse_unrecorded_move() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        reached text := NEW.state;
        move record;
      BEGIN
        FOR move IN SELECT t.from_state, t.to_state, t.actor FROM %2$s t
                     WHERE t.%3$s = NEW.id ORDER BY t.id DESC LIMIT 10 LOOP
          IF move.to_state = reached
             AND EXISTS (SELECT FROM allowed_transitions a
                          WHERE a.lifecycle = '%1$s' AND a.from_state = move.from_state
                            AND a.to_state = move.to_state AND a.actor = move.actor) THEN
            reached := move.from_state;
            IF reached = OLD.state THEN
              RETURN NULL;
            END IF;
          END IF;
        END LOOP;
        RAISE EXCEPTION 'the history in %2$s of %% has no way from %% to %%', NEW.id, OLD.state,
                        NEW.state;
      END $$;

      CREATE CONSTRAINT TRIGGER recorded AFTER UPDATE ON %1$s DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION refuse_unrecorded_move();
      """;

  /** A transition of a lifecycle and the actor that may make it. */
  public record Allowed(String from, String to, String actor) {}

  /** A table that records the transitions of another table's rows, with the column of their id. */
  public record History(String table, String column) {}

  private final Connection connection;

  /** Works in the transaction of this connection. */
  public StateGuard(Connection connection) throws SQLException {
    this.connection = connection;
    execute(BASE);
  }

  /** Requires that each change of {@code state} in that table is one of these transitions. */
  public StateGuard moves(String table, List<Allowed> allowed) throws SQLException {
    allow(table, allowed);
    execute(MOVES.formatted(table));
    return this;
  }

  /**
   * Requires that the history records each change of {@code state}, and that each record is one of
   * these transitions.
   */
  public StateGuard recorded(String table, History history, List<Allowed> allowed)
      throws SQLException {
    allow(table, allowed);
    execute(RECORDED.formatted(table, history.table(), history.column()));
    return this;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void allow(String lifecycle, List<Allowed> allowed) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO allowed_transitions VALUES (?, ?, ?, ?)")) {
      for (Allowed move : allowed) {
        insert.setString(1, lifecycle);
        insert.setString(2, move.from());
        insert.setString(3, move.to());
        insert.setString(4, move.actor());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
