package dev.slipway.postgres.model;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.LinkedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs as PostgreSQL keeps them, in memory and at once. {@link StoresAgreeTest} holds the two to
 * the same answers.
 */
class MemoryRuns implements RunStore {
  /** Called after each change, with the row as it was before. */
  interface Audit {
    void claimed(Row before, Owner by, Instant now);

    void written(Row before, RunWrite write, Row after);

    /** Checks nothing. */
    Audit NONE =
        new Audit() {
          @Override
          public void claimed(Row before, Owner by, Instant now) {}

          @Override
          public void written(Row before, RunWrite write, Row after) {}
        };
  }

  /** One run. */
  static final class Row {
    final NewRun made;
    final String definition;
    RunState state = RunState.PENDING;
    @Nullable String owner;
    long epoch;
    long version;
    int signals;
    @Nullable Instant claimableAt;
    @Nullable Instant startedAt;
    @Nullable Instant deadline;
    @Nullable Instant pausedAt;
    Map<String, Object> variables = Map.of();
    Map<String, Object> outputs = Map.of();
    dev.slipway.engine.execute.@Nullable StepError error;
    RunWrite.@Nullable Rollback rollback;
    @Nullable Cancel cancel;
    TreeMap<String, StepRecord> steps = new TreeMap<>();

    Row(NewRun made, String definition) {
      this.made = made;
      this.definition = definition;
      this.claimableAt = made.creation().at();
      made.origin().carried().forEach(s -> steps.put(s.name(), s));
    }

    Row copy() {
      Row copy = new Row(made, definition);
      copy.state = state;
      copy.owner = owner;
      copy.epoch = epoch;
      copy.version = version;
      copy.signals = signals;
      copy.claimableAt = claimableAt;
      copy.startedAt = startedAt;
      copy.deadline = deadline;
      copy.pausedAt = pausedAt;
      copy.variables = variables;
      copy.outputs = outputs;
      copy.error = error;
      copy.rollback = rollback;
      copy.cancel = cancel;
      copy.steps = new TreeMap<>(steps);
      return copy;
    }
  }

  final Map<UUID, Row> rows = new LinkedHashMap<>();
  private final Map<String, DefinitionSnapshot> definitions = new HashMap<>();
  private final Consumer<String> notify;
  private final Audit audit;

  MemoryRuns(Consumer<String> notify, Audit audit) {
    this.notify = notify;
    this.audit = audit;
  }

  @Override
  public void insert(Collection<NewRun> runs) {
    for (NewRun run : runs) {
      DefinitionSnapshot snapshot = DefinitionSnapshot.of(run.definition());
      String hash = String.valueOf((snapshot.workflow() + snapshot.source()).hashCode());
      definitions.put(hash, snapshot);
      rows.putIfAbsent(run.id(), new Row(run, hash));
    }
    notify.accept("");
  }

  /** Whether the run may be taken. */
  boolean free(Row row, Owner owner, Instant now) {
    return row.claimableAt != null
        && !row.claimableAt.isAfter(now)
        && !owner.text().equals(row.owner);
  }

  @Override
  public List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease, Bounds bounds) {
    List<Row> due =
        rows.values().stream()
            .filter(r -> free(r, owner, now))
            .sorted(
                Comparator.comparing(
                    (Row r) -> r.claimableAt, Comparator.nullsLast(Comparator.naturalOrder())))
            .limit(max)
            .toList();
    List<ClaimedRun> claimed = new ArrayList<>();
    for (Row row : due) {
      Row before = row.copy();
      row.owner = owner.text();
      row.epoch++;
      row.claimableAt = now.plus(lease);
      row.state = RunState.RUNNING;
      row.startedAt = row.startedAt == null ? now : row.startedAt;
      row.deadline = deadline(row, now, bounds);
      row.pausedAt = null;
      claimed.add(claimed(row, before.state));
      audit.claimed(before, owner, now);
    }
    return claimed;
  }

  private static @Nullable Instant deadline(Row row, Instant now, Bounds bounds) {
    if (row.deadline != null) {
      return row.pausedAt == null
          ? row.deadline
          : row.deadline.plus(Duration.between(row.pausedAt, now));
    }
    Duration limit = row.made.timeLimit();
    Duration longest = bounds.longest().orElse(limit);
    Duration shorter =
        limit == null || longest != null && longest.compareTo(limit) < 0 ? longest : limit;
    return shorter == null ? null : now.plus(shorter);
  }

  private static ClaimedRun claimed(Row row, RunState before) {
    NewRun made = row.made;
    return new ClaimedRun(
        made.id(),
        made.kind(),
        row.definition,
        made.operation(),
        made.subject(),
        made.tenancy().environment(),
        made.tenancy().team(),
        made.origin().parent(),
        made.inputs(),
        made.creation().by(),
        made.creation().at(),
        new Fence(String.valueOf(row.owner), row.epoch),
        row.version,
        row.signals,
        before,
        row.startedAt,
        row.deadline,
        row.variables,
        List.copyOf(row.steps.values()),
        Optional.ofNullable(row.cancel),
        Optional.ofNullable(row.rollback));
  }

  @Override
  public DefinitionSnapshot definition(String hash) {
    return Optional.ofNullable(definitions.get(hash)).orElseThrow();
  }

  Optional<Row> held(UUID run, long epoch, Owner owner) {
    return Optional.ofNullable(rows.get(run))
        .filter(r -> r.epoch == epoch && owner.text().equals(r.owner));
  }

  static Held held(Row row, Lease lease) {
    return new Held(Optional.ofNullable(row.cancel), row.signals, lease);
  }

  @Override
  public Map<UUID, Held> heartbeat(Owner owner, Map<UUID, Long> epochs, Instant leaseUntil) {
    Map<UUID, Held> answer = new TreeMap<>();
    epochs.forEach(
        (id, epoch) ->
            held(id, epoch, owner)
                .ifPresent(
                    row -> {
                      row.claimableAt =
                          row.claimableAt != null && row.claimableAt.isAfter(leaseUntil)
                              ? row.claimableAt
                              : leaseUntil;
                      answer.put(id, held(row, Lease.PROLONGED));
                    }));
    return answer;
  }

  @Override
  public Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    epochs.forEach(
        (id, epoch) ->
            held(id, epoch, owner)
                .ifPresent(
                    row -> {
                      row.claimableAt = claimableAt;
                      row.owner = null;
                    }));
    return Set.of();
  }

  @Override
  public int disown(Owner owner, Set<UUID> held, Instant now) {
    int disowned = 0;
    for (Row row : rows.values()) {
      boolean ended = row.claimableAt != null && !row.claimableAt.isAfter(now);
      if (ended && owner.text().equals(row.owner) && !held.contains(row.made.id())) {
        row.claimableAt = now;
        row.owner = null;
        disowned++;
      }
    }
    return disowned;
  }

  @Override
  public int release(Owner successor, Instant now) {
    int released = 0;
    for (Row row : rows.values()) {
      if (row.claimableAt != null
          && row.owner != null
          && row.owner.startsWith(successor.replica() + "/")
          && !row.owner.equals(successor.text())) {
        row.claimableAt = now;
        row.owner = null;
        released++;
      }
    }
    return released;
  }

  @Override
  public CompletableFuture<Outcome> write(RunWrite write) {
    return CompletableFuture.completedFuture(apply(write));
  }

  /** Whether the writer still has the run. */
  boolean current(Row row, RunWrite write) {
    return write.fence().equals(new Fence(String.valueOf(row.owner), row.epoch))
        && row.version == write.version();
  }

  /** The same as {@link #write} when an earlier try may have been written. */
  Outcome applyAgain(RunWrite write) {
    Row row = rows.get(write.run());
    boolean already =
        row != null && row.epoch == write.epoch() && row.version == write.version() + 1;
    return already ? Outcome.WRITTEN : apply(write);
  }

  Outcome apply(RunWrite write) {
    Row row = rows.get(write.run());
    if (row == null || !current(row, write)) {
      return Outcome.FENCED;
    }
    Row before = row.copy();
    row.version = write.version() + 1;
    write.change().ifPresent(change -> change(row, change, write.at()));
    write.steps().forEach(s -> row.steps.put(s.name(), s));
    write.others().woken().ifPresent(parent -> wake(parent, row, write.at()));
    write.others().halted().forEach(halt -> halt(halt, write.at()));
    if (!write.others().made().isEmpty()) {
      insert(write.others().made());
    }
    audit.written(before, write, row);
    return Outcome.WRITTEN;
  }

  private static void change(Row row, RunChange change, Instant at) {
    row.state = change.state();
    row.variables = change.variables().isEmpty() ? row.variables : change.variables();
    row.outputs = change.outputs().isEmpty() ? row.outputs : change.outputs();
    row.rollback = change.rollback() == null ? row.rollback : change.rollback();
    row.pausedAt = change.deadline() == RunWrite.Deadline.STANDS_STILL ? at : null;
    if (change.hold() instanceof Hold.GiveBack back) {
      row.error = change.error();
      row.owner = null;
      boolean unheard = row.signals != back.signalsSeen();
      row.claimableAt = change.state().finished() ? null : unheard ? at : back.claimableAt();
    }
  }

  /** The run waits for one that has ended now. */
  void wake(UUID parent, Row ended, Instant at) {
    Row row = rows.get(parent);
    if (row == null || row.state.finished()) {
      return;
    }
    signal(row, at);
    if (row.pausedAt != null) {
      Instant paused = row.pausedAt.plus(used(ended, at));
      row.pausedAt = paused.isBefore(at) ? paused : at;
    }
    notify.accept(row.owner == null ? "" : parent.toString());
  }

  private static Duration used(Row ended, Instant at) {
    Duration limit = ended.made.timeLimit();
    if (limit == null || ended.deadline == null) {
      return Duration.ZERO;
    }
    Duration used = limit.minus(Duration.between(at, ended.deadline));
    return used.isNegative() ? Duration.ZERO : used;
  }

  private void halt(RunWrite.Halt halt, Instant at) {
    Row row = rows.get(halt.run());
    if (row != null && !row.state.finished()) {
      ask(row, halt.how(), at);
      notify.accept(row.owner == null ? "" : halt.run().toString());
    }
  }

  private static void ask(Row row, Cancel how, Instant at) {
    row.cancel = row.cancel == Cancel.FORCED ? Cancel.FORCED : how;
    signal(row, at);
  }

  private static void signal(Row row, Instant at) {
    row.signals++;
    if (row.owner == null && (row.claimableAt == null || row.claimableAt.isAfter(at))) {
      row.claimableAt = at;
    }
  }

  /** What a decision of people does to a run. */
  @Override
  public void signal(UUID run, Instant at) {
    Row row = rows.get(run);
    if (!row.state.finished()) {
      signal(row, at);
      notify.accept(run.toString());
    }
  }

  @Override
  public Optional<Instant> nextDue(Owner owner) {
    return rows.values().stream()
        .filter(r -> r.claimableAt != null && !owner.text().equals(r.owner))
        .map(r -> r.claimableAt)
        .min(Instant::compareTo);
  }

  List<Row> children(UUID run) {
    return rows.values().stream()
        .filter(r -> run.equals(r.made.origin().parent()) && r.made.kind().belongsToAnother())
        .toList();
  }

  @Override
  public List<LinkedRun> madeBy(UUID run) {
    return children(run).stream().map(MemoryRuns::linked).toList();
  }

  private static LinkedRun linked(Row row) {
    Map<String, StepState> steps = new HashMap<>();
    if (row.made.kind() == NewRun.Kind.ROLLBACK) {
      row.steps.forEach((name, step) -> steps.put(name, step.state()));
    }
    return new LinkedRun(
        row.made.id(),
        row.made.kind(),
        row.made.definition().provider(),
        row.made.definition().workflow().name(),
        row.state,
        row.outputs,
        row.error,
        steps);
  }

  @Override
  public CancelAnswer cancel(UUID run, Cancel how, Instant now) {
    Row row = rows.get(run);
    if (row == null) {
      return CancelAnswer.UNKNOWN_RUN;
    }
    if (row.state.finished()) {
      return CancelAnswer.FINISHED_ALREADY;
    }
    ask(row, how, now);
    notify.accept(run.toString());
    return CancelAnswer.ASKED;
  }
}
