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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What transitions of runs do to other runs: they make some, stop some, and wake some. */
final class OtherRuns {
  private static final String LOCK =
      "SELECT id FROM runs WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";

  /** The subject of a run that had ended before looks itself. */
  private static final String TELL =
      """
      INSERT INTO signals (kind, key, item, run, at)
      SELECT p.subject_kind, p.subject_key, p.item, p.id, e.at
        FROM unnest(?::uuid[], ?::timestamptz[]) AS e (woken, at) JOIN runs p ON p.id = e.woken
       WHERE p.finished_at IS NOT NULL AND p.subject_kind IS NOT NULL
         AND p.kind NOT IN ('child', 'rollback')
      RETURNING kind
      """;

  private final Connection connection;
  private final SecretBox box;
  private final Set<String> signals = new LinkedHashSet<>();
  private final Set<String> kinds = new LinkedHashSet<>();

  OtherRuns(Connection connection, SecretBox box) {
    this.connection = connection;
    this.box = box;
  }

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
    List<RunWakes.Call> halts = new ArrayList<>();
    List<NewRun> made = new ArrayList<>();
    for (RunWrite write : accepted) {
      write.others().halted().forEach(halt -> halts.add(call(halt, write.at())));
      made.addAll(write.others().made());
    }
    announce(RunWakes.wake(connection, halts));
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

  private static RunWakes.Call call(Halt halt, Instant at) {
    return new RunWakes.Call(halt.run(), at, Optional.of(halt.how()));
  }

  private void announce(List<RunWakes.Woken> woken) {
    woken.forEach(run -> signals.add(run.payload()));
  }

  private void wake(List<RunWrite> ended) throws SQLException {
    List<RunWakes.Woken> woken = RunWakes.afterEnds(connection, ended);
    announce(woken);
    if (woken.size() == parents(ended)) {
      return;
    }
    try (PreparedStatement tell = connection.prepareStatement(TELL)) {
      Rows.bind(connection, tell, ended)
          .column("uuid", w -> w.others().woken().orElseThrow())
          .time(RunWrite::at);
      try (ResultSet rows = tell.executeQuery()) {
        while (rows.next()) {
          kinds.add(rows.getString(1));
        }
      }
    }
  }

  private static long parents(List<RunWrite> ended) {
    return ended.stream().map(w -> w.others().woken().orElseThrow()).distinct().count();
  }
}
