package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Halt;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What transitions of runs do to other runs: they make some, stop some, and wake some. */
final class OtherRuns {
  private static final String LOCK =
      "SELECT id FROM runs WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";

  /**
   * The deadline of a run that waits only for other runs is paused. The time that the ended runs
   * used is taken off the pause, so the next claim extends the deadline only by the rest.
   */
  private static final String WAKE =
      """
      UPDATE runs p
         SET signals = p.signals + 1,
             claimable_at = CASE WHEN p.owner IS NULL THEN w.at ELSE p.claimable_at END,
             paused_at = CASE WHEN p.paused_at IS NOT NULL
                              THEN least(p.paused_at + w.used, w.at) END
        FROM (SELECT e.woken, max(e.at) AS at,
                     greatest(max(c.time_limit_ms * interval '1 millisecond'
                                  - (c.deadline_at - e.at)), interval '0') AS used
                FROM unnest(?::uuid[], ?::uuid[], ?::timestamptz[]) AS e (id, woken, at)
                JOIN runs c ON c.id = e.id
               GROUP BY e.woken) AS w
       WHERE p.id = w.woken AND p.state IN ('pending', 'running', 'waiting')
      RETURNING p.id, p.owner
      """;

  /** The subject of a run that had ended before looks itself. */
  private static final String TELL =
      """
      INSERT INTO signals (kind, key, item, run, at)
      SELECT p.subject_kind, p.subject_key, p.item, p.id, e.at
        FROM unnest(?::uuid[], ?::timestamptz[]) AS e (woken, at) JOIN runs p ON p.id = e.woken
       WHERE p.finished_at IS NOT NULL AND p.subject_kind IS NOT NULL
      RETURNING kind
      """;

  private static final String HALT =
      """
      UPDATE runs r
         SET cancel = CASE WHEN r.cancel = 'forced' THEN r.cancel ELSE h.how END,
             signals = r.signals + 1,
             claimable_at = CASE WHEN r.owner IS NULL THEN least(r.claimable_at, h.at)
                                 ELSE r.claimable_at END
        FROM unnest(?::uuid[], ?::text[], ?::timestamptz[]) AS h (id, how, at)
       WHERE r.id = h.id AND r.state IN ('pending', 'running', 'waiting')
      RETURNING r.id, r.owner
      """;

  private final Connection connection;
  private final SecretBox box;
  private final Set<String> signals = new LinkedHashSet<>();
  private final Set<String> kinds = new LinkedHashSet<>();

  OtherRuns(Connection connection, SecretBox box) {
    this.connection = connection;
    this.box = box;
  }

  private record HaltRow(Halt halt, Instant at) {}

  /**
   * Locks all rows at once and in one order, so that no two transactions wait for each other. After
   * a try whose outcome is unknown that waits for its end: the transaction of a client that has
   * lost its connection holds the rows until it commits or not, and only a statement after this one
   * sees which.
   */
  void lock(List<RunWrite> writes, GroupCommit.Earlier earlier) throws SQLException {
    Set<UUID> others = new TreeSet<>(TransitionBatch.AS_STORED);
    for (RunWrite write : writes) {
      write.others().woken().ifPresent(others::add);
      write.others().halted().forEach(halt -> others.add(halt.run()));
    }
    if (others.isEmpty() && earlier == GroupCommit.Earlier.NONE) {
      return;
    }
    writes.forEach(write -> others.add(write.run()));
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      lock.setArray(1, connection.createArrayOf("uuid", others.toArray()));
      lock.executeQuery().close();
    }
  }

  /** Answers the events about the runs that were made. */
  List<Event> write(List<RunWrite> accepted) throws SQLException {
    wake(accepted.stream().filter(w -> w.others().woken().isPresent()).toList());
    List<HaltRow> halts = new ArrayList<>();
    List<NewRun> made = new ArrayList<>();
    for (RunWrite write : accepted) {
      write.others().halted().forEach(halt -> halts.add(new HaltRow(halt, write.at())));
      made.addAll(write.others().made());
    }
    halt(halts);
    if (!made.isEmpty()) {
      signals.add("");
    }
    return RunInsert.insert(connection, box, made);
  }

  /** Payloads for replicas that claim runs: empty, or the id of a run that a replica holds. */
  Set<String> signals() {
    return signals;
  }

  /** The kinds of the subjects that were signalled. */
  Set<String> kinds() {
    return kinds;
  }

  private void wake(List<RunWrite> ended) throws SQLException {
    if (ended.isEmpty()) {
      return;
    }
    try (PreparedStatement wake = connection.prepareStatement(WAKE)) {
      Rows.bind(connection, wake, ended)
          .column("uuid", RunWrite::run)
          .column("uuid", w -> w.others().woken().orElseThrow())
          .time(RunWrite::at);
      if (signal(wake) == parents(ended)) {
        return;
      }
    }
    try (PreparedStatement tell = connection.prepareStatement(TELL)) {
      Rows.bind(connection, tell, ended)
          .column("uuid", w -> w.others().woken().orElseThrow())
          .time(RunWrite::at);
      try (ResultSet told = tell.executeQuery()) {
        while (told.next()) {
          kinds.add(told.getString(1));
        }
      }
    }
  }

  private static long parents(List<RunWrite> ended) {
    return ended.stream().map(w -> w.others().woken().orElseThrow()).distinct().count();
  }

  private void halt(List<HaltRow> halts) throws SQLException {
    if (halts.isEmpty()) {
      return;
    }
    try (PreparedStatement halt = connection.prepareStatement(HALT)) {
      Rows.bind(connection, halt, halts)
          .column("uuid", h -> h.halt().run())
          .text(h -> h.halt().how().text())
          .time(HaltRow::at);
      signal(halt);
    }
  }

  /** Answers how many runs were changed. */
  private int signal(PreparedStatement update) throws SQLException {
    int changed = 0;
    try (ResultSet rows = update.executeQuery()) {
      while (rows.next()) {
        signals.add(rows.getString("owner") == null ? "" : rows.getString("id"));
        changed++;
      }
    }
    return changed;
  }
}
