package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Wakes runs, with one statement for every reason: an approval, an order to stop, the end of a run
 * that they made. It raises the count of signals, so that none is lost between an owner's last look
 * and its park, and makes a run without an owner claimable at that time at the latest. A run that
 * has ended stays as it is.
 */
final class RunWakes {
  /**
   * The source has one row for each run: {@code (id, at, cancel, used)}. The time limit of a run
   * that waits for other runs alone stands still; {@code used} is what they have used of it, so
   * that the end of the pause, at the next claim, gives back only the rest.
   */
  private static final String WAKE =
      """
      UPDATE runs r
         SET signals = r.signals + 1,
             claimable_at = CASE WHEN r.owner IS NULL THEN least(r.claimable_at, w.at)
                                 ELSE r.claimable_at END,
             cancel = CASE WHEN w.cancel IS NULL OR r.cancel = 'forced' THEN r.cancel
                           ELSE w.cancel END,
             paused_at = CASE WHEN w.used IS NULL OR r.paused_at IS NULL THEN r.paused_at
                              ELSE least(r.paused_at + w.used, w.at) END
        FROM (%s) AS w (id, at, cancel, used)
       WHERE r.id = w.id AND r.state IN ('pending', 'running', 'waiting')
      RETURNING r.id, r.owner
      """;

  private static final String NOW =
      WAKE.formatted(
          "SELECT *, NULL::interval FROM unnest(?::uuid[], ?::timestamptz[], ?::text[])");

  private static final String AFTER_ENDS =
      WAKE.formatted(
          """
          SELECT e.woken, max(e.at), NULL::text,
                 greatest(max(c.time_limit_ms * interval '1 millisecond'
                              - (c.deadline_at - e.at)), interval '0')
            FROM unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) AS e (id, woken, at)
            JOIN runs c ON c.id = e.id
           GROUP BY e.woken
          """);

  private RunWakes() {}

  /** A run to wake; one with an order is to stop. */
  record Call(UUID run, Instant at, Optional<Cancel> order) {}

  /** A run that was woken. */
  record Woken(UUID run, @Nullable String owner) {
    /**
     * What {@link dev.slipway.postgres.events.Topic#RUNS} is sent: to any replica, or to its own.
     */
    String payload() {
      return owner == null ? "" : run.toString();
    }
  }

  static List<Woken> wake(Connection connection, List<Call> calls) throws SQLException {
    if (calls.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement wake = connection.prepareStatement(NOW)) {
      Rows.bind(connection, wake, calls)
          .column("uuid", Call::run)
          .time(Call::at)
          .text(c -> c.order().map(Cancel::text).orElse(null));
      return woken(wake);
    }
  }

  /** The runs that wait for these ones, each of which ends with its write. */
  static List<Woken> afterEnds(Connection connection, List<RunWrite> ends) throws SQLException {
    if (ends.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement wake = connection.prepareStatement(AFTER_ENDS)) {
      Rows.bind(connection, wake, ends)
          .column("uuid", RunWrite::run)
          .column("uuid", w -> w.others().woken().orElseThrow())
          .time(RunWrite::at);
      return woken(wake);
    }
  }

  private static List<Woken> woken(PreparedStatement wake) throws SQLException {
    List<Woken> woken = new ArrayList<>();
    try (ResultSet rows = wake.executeQuery()) {
      while (rows.next()) {
        woken.add(new Woken(rows.getObject(1, UUID.class), rows.getString(2)));
      }
    }
    return woken;
  }
}
