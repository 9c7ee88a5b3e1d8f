package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.FailedAttempt;
import dev.slipway.engine.execute.RunWrite.Report;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The owner's copy of a run: its steps as they are, and what of that is not written yet. Belongs to
 * one thread.
 */
final class PendingTransition {
  private final ClaimedRun run;
  private final Map<String, StepRecord> records = new LinkedHashMap<>();
  private final Set<String> touched = new LinkedHashSet<>();
  private final List<FailedAttempt> attempts = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<NewRun> made = new ArrayList<>();
  private final List<RunWrite.Halt> halted = new ArrayList<>();
  private long version;
  private Set<String> last = Set.of();

  PendingTransition(ClaimedRun run) {
    this.run = run;
    this.version = run.version();
    run.steps().forEach(s -> records.put(s.name(), s));
  }

  Collection<StepRecord> records() {
    return records.values();
  }

  StepRecord record(String name) {
    StepRecord record = records.get(name);
    return record == null ? StepRecord.pending(name) : record;
  }

  /** By name; a step that nothing has happened to is not there. */
  Map<String, StepRecord> byName() {
    return Collections.unmodifiableMap(records);
  }

  /** Takes note of a transition. */
  void put(StepRecord record) {
    StepState from = record(record.name()).state();
    if (from != record.state() || from == StepState.RUNNING) {
      Lifecycles.STEP.check("step " + record.name(), from, record.state());
    }
    records.put(record.name(), record);
    touched.add(record.name());
  }

  void attempt(FailedAttempt attempt) {
    attempts.add(attempt);
  }

  void tell(Event event) {
    events.add(event);
  }

  /** A run that this one makes. */
  void make(NewRun child) {
    made.add(child);
  }

  /** A run that this one made is to stop. */
  void halt(UUID child, RunStore.Cancel how) {
    halted.add(new RunWrite.Halt(child, how));
  }

  boolean dirty() {
    return !touched.isEmpty() || !halted.isEmpty();
  }

  /** Whether nothing was ever written for this run. */
  boolean untouched() {
    return version == 0;
  }

  boolean tellsOf(String type) {
    return events.stream().anyMatch(e -> e.type().equals(type));
  }

  /** Everything not written yet, as one write. */
  RunWrite take(Optional<RunChange> change, Optional<Report> report, Instant at) {
    RunWrite write =
        new RunWrite(
            run.id(),
            run.fence(),
            version,
            touched.stream().map(this::record).toList(),
            List.copyOf(attempts),
            change,
            report,
            new RunWrite.Others(List.copyOf(made), List.copyOf(halted), woken(change)),
            run.subject().quiet() ? List.of() : List.copyOf(events),
            at);
    version++;
    last = Set.copyOf(touched);
    touched.clear();
    attempts.clear();
    events.clear();
    made.clear();
    halted.clear();
    return write;
  }

  /**
   * The end of the run after its last write was refused: what was in that write has failed, unless
   * it had ended before and was undone; what else was open is cancelled.
   */
  RunWrite refused(StepError error, List<RunWrite.Halt> halts, Instant at) {
    List<StepRecord> ends = new ArrayList<>();
    for (StepRecord record : records.values()) {
      if (last.contains(record.name()) && record.state() == StepState.ROLLED_BACK) {
        ends.add(record);
      } else if (last.contains(record.name())) {
        ends.add(record.ended(StepState.FAILED, null, error, at));
      } else if (!record.state().finished()) {
        ends.add(record.ended(StepState.CANCELLED, null, record.error(), at));
      }
    }
    return FailureWrite.of(run, version - 1, ends, halts, error, at);
  }

  /** The end of a run wakes the run that waits for it. */
  private Optional<UUID> woken(Optional<RunChange> change) {
    boolean ends = change.filter(c -> c.state().finished()).isPresent();
    return ends && run.kind().belongsToAnother()
        ? Optional.ofNullable(run.parent())
        : Optional.empty();
  }
}
