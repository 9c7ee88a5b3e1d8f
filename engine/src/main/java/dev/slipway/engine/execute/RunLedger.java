package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.FailedAttempt;
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The owner's copy of a run: its steps as they are, and what of that is not written yet. Belongs to
 * one thread.
 */
final class RunLedger {
  private final ClaimedRun run;
  private final Workflow workflow;
  private final Map<String, StepRecord> records = new LinkedHashMap<>();
  private final Set<String> touched = new LinkedHashSet<>();
  private final List<FailedAttempt> attempts = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private long version;

  RunLedger(ClaimedRun run, Workflow workflow) {
    this.run = run;
    this.workflow = workflow;
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

  Progress progress(Optional<RunStore.Cancel> cancel) {
    return new Progress(workflow, records, cancel);
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

  boolean dirty() {
    return !touched.isEmpty();
  }

  /** Whether nothing was ever written for this run. */
  boolean untouched() {
    return version == 0;
  }

  boolean tellsOf(String type) {
    return events.stream().anyMatch(e -> e.type().equals(type));
  }

  /** Everything not written yet, as one write. */
  RunWrite take(Optional<RunChange> change, Optional<ResourceChange> resource, Instant at) {
    RunWrite write =
        new RunWrite(
            run.id(),
            run.epoch(),
            version,
            touched.stream().map(this::record).toList(),
            List.copyOf(attempts),
            change,
            resource,
            List.copyOf(events),
            at);
    version++;
    touched.clear();
    attempts.clear();
    events.clear();
    return write;
  }
}
