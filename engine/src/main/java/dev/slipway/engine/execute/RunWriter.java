package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.Report;
import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the transitions of a run. Each method answers whether the write was accepted; if not,
 * another replica owns the run.
 */
final class RunWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RunWriter.class);

  private final LiveRun live;
  private final StepEnds ends;
  private final RunTimers timers;
  private Optional<Rollback> written;
  private boolean announced;
  private volatile boolean givingBack;

  RunWriter(LiveRun live, StepEnds ends, RunTimers timers) {
    this.live = live;
    this.ends = ends;
    this.timers = timers;
    this.written = live.rollback;
  }

  /** The write that gives the run back is under way or done. */
  boolean givingBack() {
    return givingBack;
  }

  /** The first step begins. */
  void announce(Instant now) {
    if (live.pending.untouched() && !announced) {
      announced = true;
      live.pending.tell(live.events.run("workflow.started", now));
      live.context.metrics().started(Duration.between(live.run.createdAt(), now));
    }
  }

  /** The run goes on. */
  boolean goesOn() throws InterruptedException, ExecutionException {
    Optional<RunChange> change =
        ends.takeVariablesChanged() || !written.equals(live.rollback)
            ? Optional.of(change(RunState.RUNNING, new Hold.Keep(), Deadline.RUNS))
            : Optional.empty();
    return write(change, begun());
  }

  /** Everything waits: the run is given back until the next timer or signal. */
  boolean waits() throws InterruptedException, ExecutionException {
    if (waitingFor().isEmpty()) {
      throw new IllegalStateException("run " + live.run.id() + " waits for nothing");
    }
    Instant until = timers.ofWaiting().orElse(null);
    if (live.pending.tellsOf("step.waiting")
        || live.pending.tellsOf("step.retrying")
        || !written.equals(live.rollback)) {
      live.pending.tell(live.events.waiting(waitingFor(), until, live.now()));
    }
    Deadline deadline = timers.paused() ? Deadline.STANDS_STILL : Deadline.RUNS;
    return write(
        Optional.of(change(RunState.WAITING, new Hold.GiveBack(until, live.signals), deadline)),
        begun()); // of a first step that calls a workflow this is the first write
  }

  private List<String> waitingFor() {
    if (live.rollback.filter(Rollback.RUNNING::equals).isPresent()) {
      return List.of("rollback");
    }
    return live.pending.records().stream()
        .filter(r -> r.state() == StepState.WAITING || r.wakeAt() != null)
        .map(r -> r.parked() == null ? "retry of " + r.name() : r.parked().waitingFor())
        .toList();
  }

  /** The run is over. */
  boolean ends(RunState planned) throws InterruptedException, ExecutionException {
    if (live.pending.untouched() && planned != RunState.CANCELLED) {
      announce(live.now());
      if (!goesOn()) {
        return false;
      }
    }
    RunEnd end =
        RunEnd.of(
            planned,
            live.progress(),
            live.run.kind(),
            live.definition.workflow(),
            live.values,
            live.context.rendering());
    Instant now = live.now();
    live.pending.tell(live.events.ended(end.state(), end.error(), end.warnings(), now));
    if (!write(Optional.of(change(end)), end.report(live.run, live.values))) {
      return false;
    }
    Duration took = Duration.between(live.run.startedAt(), now);
    live.context.metrics().runEnded(live.run, end.state(), took, end.error());
    return true;
  }

  /** What was to be written cannot be kept, now or later: the run fails with that. */
  boolean refused(RefusedWriteException why, List<RunWrite.Halt> halts)
      throws InterruptedException, ExecutionException {
    StepError error =
        live.values.masked(
            StepError.permanent(
                "refused-write",
                "the database refuses the values of the run: " + why.getMessage(),
                "Look for values that are too large or malformed in the outputs, variables and"
                    + " times of its last step."));
    Instant now = live.now();
    RunWrite write = live.pending.refused(error, halts, now);
    if (live.context.store().write(write).get() != RunStore.Outcome.WRITTEN) {
      return false;
    }
    Duration took = Duration.between(live.run.startedAt(), now);
    live.context.metrics().runEnded(live.run, RunState.FAILED, took, error);
    return true;
  }

  private RunChange change(RunState state, Hold hold, Deadline deadline) {
    written = live.rollback;
    return new RunChange(
        state,
        hold,
        live.values.sealedVariables(),
        Map.of(),
        null,
        live.rollback.orElse(null),
        deadline);
  }

  private RunChange change(RunEnd end) {
    return new RunChange(
        end.state(),
        new Hold.GiveBack(null, live.signals),
        live.values.sealedVariables(),
        end.outputs(),
        end.error(),
        end.rollback(),
        Deadline.RUNS);
  }

  private Optional<Report> begun() {
    return live.pending.untouched() ? RunEnd.begun(live.run) : Optional.empty();
  }

  private boolean write(Optional<RunChange> change, Optional<Report> report)
      throws InterruptedException, ExecutionException {
    givingBack = change.filter(c -> c.hold() instanceof Hold.GiveBack).isPresent();
    RunWrite write = live.pending.take(change, report, live.now());
    RunStore.@Nullable Outcome outcome = live.context.store().write(write).get();
    if (outcome == RunStore.Outcome.WRITTEN) {
      return true;
    }
    live.context.metrics().fencedWrite();
    LOG.warn(
        "another replica owns run {} (this replica had epoch {}): stopping its steps",
        live.run.id(),
        live.run.epoch());
    return false;
  }
}
