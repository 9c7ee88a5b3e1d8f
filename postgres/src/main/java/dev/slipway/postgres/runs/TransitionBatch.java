package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Fence;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.FailedAttempt;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.events.EventLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one group commit: runs, steps, attempts, signals for the subjects of runs. Rows
 * are touched in the order of their ids; events come with the commit, because appending them holds
 * a lock that all share.
 */
final class TransitionBatch {
  /**
   * Ids in the order in which the database sorts them; Java's own takes half of them for negative.
   */
  static final Comparator<UUID> AS_STORED =
      Comparator.<UUID>comparingLong(id -> id.getMostSignificantBits() ^ Long.MIN_VALUE)
          .thenComparingLong(id -> id.getLeastSignificantBits() ^ Long.MIN_VALUE);

  private static final String ADVANCE =
      """
      UPDATE runs r SET version = r.version + 1
        FROM unnest(?::uuid[], ?::text[], ?::int8[], ?::int8[]) AS w (id, owner, epoch, version)
       WHERE r.id = w.id AND r.owner = w.owner AND r.epoch = w.epoch AND r.version = w.version
      RETURNING w.id, w.owner, w.epoch
      """;

  private static final String CHANGE =
      """
      UPDATE runs r
         SET version = r.version + 1,
             state = coalesce(w.state, r.state),
             variables = coalesce(w.variables::json, r.variables),
             outputs = coalesce(w.outputs::json, r.outputs),
             error = CASE WHEN w.keep THEN r.error ELSE w.error::json END,
             rollback = coalesce(w.rollback, r.rollback),
             report = coalesce(w.report::json, r.report),
             owner = CASE WHEN w.keep THEN r.owner END,
             claimable_at = CASE WHEN w.keep THEN r.claimable_at
                                 WHEN w.finished THEN NULL
                                 WHEN r.signals <> w.signals THEN w.at
                                 ELSE w.claimable_at END,
             paused_at = CASE WHEN w.pause THEN w.at END,
             finished_at = CASE WHEN w.finished THEN w.at END
        FROM unnest(?::uuid[], ?::text[], ?::int8[], ?::int8[], ?::text[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::bool[], ?::bool[], ?::timestamptz[], ?::int4[],
                    ?::bool[], ?::timestamptz[], ?::text[])
          AS w (id, owner, epoch, version, state, variables, outputs, error,
                rollback, keep, finished, claimable_at, signals, pause, at, report)
       WHERE r.id = w.id AND r.owner = w.owner AND r.epoch = w.epoch AND r.version = w.version
      RETURNING w.id, w.owner, w.epoch
      """;

  /** Written by an earlier try. The owner may have given the run back with that write. */
  private static final String ALREADY =
      """
      SELECT w.id, w.owner, w.epoch
        FROM runs r
        JOIN unnest(?::uuid[], ?::text[], ?::int8[], ?::int8[]) AS w (id, owner, epoch, version)
          ON r.id = w.id AND r.epoch = w.epoch AND r.version = w.version + 1
       WHERE r.owner IS NULL OR r.owner = w.owner
      """;

  private static final String ATTEMPTS =
      """
      INSERT INTO attempts (run_id, step, attempt, error, started_at, finished_at)
      SELECT a.run_id, a.step, a.attempt, a.error::json, a.started_at, a.finished_at
        FROM unnest(?::uuid[], ?::text[], ?::int4[], ?::text[], ?::timestamptz[],
                    ?::timestamptz[])
          AS a (run_id, step, attempt, error, started_at, finished_at)
      ON CONFLICT DO NOTHING
      """;

  private static final String SIGNAL =
      """
      INSERT INTO signals (kind, key, item, run, at)
      SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::uuid[], ?::timestamptz[])
      """;

  /**
   * A run while one owner has it. A batch may hold writes of several: one that waited for the
   * database, and one of the owner since.
   */
  record Tenure(UUID run, Fence fence) {
    static Tenure of(RunWrite write) {
      return new Tenure(write.run(), write.fence());
    }
  }

  private final Connection connection;
  private final SecretBox box;
  private final List<RunWrite> writes;
  private Set<String> signals = Set.of();
  private Set<String> kinds = Set.of();

  TransitionBatch(Connection connection, SecretBox box, List<RunWrite> writes) {
    this.connection = connection;
    this.box = box;
    this.writes = writes.stream().sorted(Comparator.comparing(RunWrite::run, AS_STORED)).toList();
  }

  /** Payloads to send on {@link dev.slipway.postgres.events.Topic#SIGNALS} after the commit. */
  Set<String> kinds() {
    return kinds;
  }

  /** Payloads to send on {@link dev.slipway.postgres.events.Topic#RUNS} after the commit. */
  Set<String> signals() {
    return signals;
  }

  /** Writes all that may be written, and commits. */
  Map<Tenure, Outcome> commit(GroupCommit.Earlier earlier) throws SQLException {
    OtherRuns others = new OtherRuns(connection, box);
    others.lock(writes, earlier);
    Set<Tenure> written = new HashSet<>();
    Set<Tenure> already =
        earlier == GroupCommit.Earlier.UNKNOWN ? returned(ALREADY, writes) : Set.of();
    written.addAll(returned(ADVANCE, writes.stream().filter(w -> w.change().isEmpty()).toList()));
    written.addAll(change(writes.stream().filter(w -> w.change().isPresent()).toList()));
    List<RunWrite> accepted = writes.stream().filter(w -> written.contains(Tenure.of(w))).toList();
    steps(accepted);
    attempts(accepted);
    List<Event> events = new ArrayList<>();
    accepted.forEach(w -> events.addAll(w.events()));
    events.addAll(others.write(accepted));
    signals = others.signals();
    kinds = new HashSet<>(others.kinds());
    report(accepted.stream().filter(w -> w.report().isPresent()).toList());
    EventLog.commit(connection, events);
    Map<Tenure, Outcome> outcomes = new HashMap<>();
    for (RunWrite write : writes) {
      Tenure of = Tenure.of(write);
      boolean done = written.contains(of) || already.contains(of);
      outcomes.put(of, done ? Outcome.WRITTEN : Outcome.FENCED);
    }
    return outcomes;
  }

  /** Their subjects apply the reports in turns of their own, so that none can slow the writer. */
  private void report(List<RunWrite> reporting) throws SQLException {
    if (reporting.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(SIGNAL)) {
      Rows.bind(connection, insert, reporting)
          .text(w -> subject(w).kind())
          .text(w -> subject(w).key())
          .text(w -> subject(w).item())
          .column("uuid", RunWrite::run)
          .time(RunWrite::at);
      insert.executeUpdate();
    }
    reporting.forEach(w -> kinds.add(subject(w).kind()));
  }

  private static NewRun.Key subject(RunWrite write) {
    return write.report().orElseThrow().subject();
  }

  private Set<Tenure> returned(String sql, List<RunWrite> some) throws SQLException {
    if (some.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      identified(statement, some);
      return tenures(statement);
    }
  }

  private Rows<RunWrite> identified(PreparedStatement statement, List<RunWrite> some)
      throws SQLException {
    return Rows.bind(connection, statement, some)
        .column("uuid", RunWrite::run)
        .text(w -> w.fence().owner())
        .column("int8", RunWrite::epoch)
        .column("int8", RunWrite::version);
  }

  private Set<Tenure> change(List<RunWrite> some) throws SQLException {
    if (some.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(CHANGE)) {
      identified(statement, some)
          .text(of(c -> c.state().text()))
          .sealed(
              box, TransitionBatch::row, of(c -> c.variables().isEmpty() ? null : c.variables()))
          .sealed(box, TransitionBatch::row, of(c -> c.outputs().isEmpty() ? null : c.outputs()))
          .json(of(c -> Trees.of(c.error())))
          .text(of(c -> c.rollback() == null ? null : c.rollback().text()))
          .column("bool", w -> back(w).isEmpty())
          .column("bool", w -> w.change().filter(c -> c.state().finished()).isPresent())
          .time(w -> back(w).map(Hold.GiveBack::claimableAt).orElse(null))
          .column("int4", w -> back(w).map(Hold.GiveBack::signalsSeen).orElse(0))
          .column("bool", w -> Boolean.TRUE.equals(of(TransitionBatch::standsStill).apply(w)))
          .time(RunWrite::at)
          .json(w -> w.report().map(Trees::of).orElse(null));
      return tenures(statement);
    }
  }

  private static <T> Function<RunWrite, @Nullable T> of(Function<RunChange, @Nullable T> part) {
    return write -> write.change().isEmpty() ? null : part.apply(write.change().get());
  }

  private static EncryptionContext row(RunWrite write) {
    return EncryptionContext.run(write.run());
  }

  private static boolean standsStill(RunChange change) {
    return change.deadline() == Deadline.STANDS_STILL;
  }

  private static Optional<Hold.GiveBack> back(RunWrite write) {
    return write
        .change()
        .map(RunChange::hold)
        .filter(Hold.GiveBack.class::isInstance)
        .map(Hold.GiveBack.class::cast);
  }

  private void steps(List<RunWrite> accepted) throws SQLException {
    List<StepWrites.Row> rows = new ArrayList<>();
    accepted.forEach(w -> w.steps().forEach(s -> rows.add(new StepWrites.Row(w.run(), s))));
    StepWrites.write(connection, box, rows);
  }

  private record AttemptRow(UUID run, FailedAttempt attempt) {}

  private void attempts(List<RunWrite> accepted) throws SQLException {
    List<AttemptRow> rows = new ArrayList<>();
    accepted.forEach(w -> w.attempts().forEach(a -> rows.add(new AttemptRow(w.run(), a))));
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(ATTEMPTS)) {
      Rows.bind(connection, insert, rows)
          .column("uuid", AttemptRow::run)
          .text(r -> r.attempt().step())
          .column("int4", r -> r.attempt().attempt())
          .json(r -> Trees.of(r.attempt().error()))
          .time(r -> r.attempt().startedAt())
          .time(r -> r.attempt().finishedAt());
      insert.executeUpdate();
    }
  }

  private static Set<Tenure> tenures(PreparedStatement statement) throws SQLException {
    Set<Tenure> tenures = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        tenures.add(
            new Tenure(
                rows.getObject(1, UUID.class), new Fence(rows.getString(2), rows.getLong(3))));
      }
    }
    return tenures;
  }
}
