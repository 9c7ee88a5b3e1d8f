package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of a run. Each write answers whether it was written; if not, the run belongs
 * to somebody else.
 */
final class RunPen {
  private static final Logger LOG = LoggerFactory.getLogger(RunPen.class);

  private final RunFolder folder;
  private final StepEnds ends;
  private final RunTimers timers;
  private Optional<Rollback> written;
  private boolean announced;
  private volatile boolean givingBack;

  RunPen(RunFolder folder, StepEnds ends, RunTimers timers) {
    this.folder = folder;
    this.ends = ends;
    this.timers = timers;
    this.written = folder.rollback;
  }

  /** The write that gives the run back is under way or done. */
  boolean givingBack() {
    return givingBack;
  }

  /** The first step begins. */
  void announce(Instant now) {
    if (folder.ledger.untouched() && !announced) {
      announced = true;
      folder.ledger.tell(folder.events.run("workflow.started", now));
      folder.shop.metrics().started(Duration.between(folder.run.createdAt(), now));
    }
  }

  /** The run goes on. */
  boolean goesOn() throws InterruptedException, ExecutionException {
    Optional<RunChange> change =
        ends.takeVariablesChanged() || !written.equals(folder.rollback)
            ? Optional.of(change(RunState.RUNNING, new Hold.Keep(), Deadline.RUNS))
            : Optional.empty();
    return write(change, startedResource());
  }

  /** Everything waits: the run is given back until the next timer or signal. */
  boolean waits() throws InterruptedException, ExecutionException {
    if (waitingFor().isEmpty()) {
      throw new IllegalStateException("run " + folder.run.id() + " waits for nothing");
    }
    Instant until = timers.ofWaiting().orElse(null);
    if (folder.ledger.tellsOf("step.waiting")
        || folder.ledger.tellsOf("step.retrying")
        || !written.equals(folder.rollback)) {
      folder.ledger.tell(folder.events.waiting(waitingFor(), until, folder.now()));
    }
    Deadline deadline = timers.standsStill() ? Deadline.STANDS_STILL : Deadline.RUNS;
    return write(
        Optional.of(change(RunState.WAITING, new Hold.GiveBack(until, folder.signals), deadline)),
        startedResource()); // of a first step that calls a workflow this is the first write
  }

  private List<String> waitingFor() {
    if (folder.rollback.filter(Rollback.RUNNING::equals).isPresent()) {
      return List.of("rollback");
    }
    return folder.ledger.records().stream()
        .filter(r -> r.state() == StepState.WAITING || r.wakeAt() != null)
        .map(r -> r.parked() == null ? "retry of " + r.name() : r.parked().waitingFor())
        .toList();
  }

  /** The run is over. */
  boolean ends(RunState planned) throws InterruptedException, ExecutionException {
    if (folder.ledger.untouched() && planned != RunState.CANCELLED) {
      announce(folder.now());
      if (!goesOn()) {
        return false;
      }
    }
    RunEnd end =
        RunEnd.of(
            planned,
            folder.progress(),
            folder.run.kind(),
            folder.definition.workflow(),
            folder.values,
            folder.shop.rendering());
    Instant now = folder.now();
    folder.ledger.tell(folder.events.ended(end.state(), end.error(), end.warnings(), now));
    if (!write(Optional.of(change(end)), resourceChange(end))) {
      return false;
    }
    Duration took = Duration.between(folder.run.startedAt(), now);
    folder.shop.metrics().runEnded(folder.run, end.state(), took, end.error());
    return true;
  }

  /** What was to be written cannot be kept, now or later: the run fails with that. */
  boolean refused(RefusedWriteException why, List<RunWrite.Halt> halts)
      throws InterruptedException, ExecutionException {
    StepError error =
        folder.values.masked(
            StepError.permanent(
                "refused-write",
                "the database refuses what the run wants to keep: " + why.getMessage(),
                "Look for values that are too large or malformed in the outputs, variables and"
                    + " times of its last step."));
    Instant now = folder.now();
    RunWrite write = folder.ledger.refused(error, halts, now);
    if (folder.shop.store().write(write).get() != RunStore.Outcome.WRITTEN) {
      return false;
    }
    Duration took = Duration.between(folder.run.startedAt(), now);
    folder.shop.metrics().runEnded(folder.run, RunState.FAILED, took, error);
    return true;
  }

  private RunChange change(RunState state, Hold hold, Deadline deadline) {
    written = folder.rollback;
    return new RunChange(
        state,
        hold,
        folder.values.sealedVariables(),
        Map.of(),
        null,
        folder.rollback.orElse(null),
        deadline);
  }

  private RunChange change(RunEnd end) {
    return new RunChange(
        end.state(),
        new Hold.GiveBack(null, folder.signals),
        folder.values.sealedVariables(),
        end.outputs(),
        end.error(),
        end.rollback(),
        Deadline.RUNS);
  }

  private Optional<ResourceChange> resourceChange(RunEnd end) {
    return end.resourceChange(folder.run).or(() -> end.observation(folder.run, folder.values));
  }

  private Optional<ResourceChange> startedResource() {
    UUID resource = folder.run.subject().resource();
    if (resource == null || !folder.ledger.untouched() || !RunEnd.movesResource(folder.run)) {
      return Optional.empty();
    }
    return Optional.of(
        new ResourceChange(
            resource,
            ResourceChange.Effect.STARTED,
            "run " + folder.run.id() + " started",
            null,
            null));
  }

  private boolean write(Optional<RunChange> change, Optional<ResourceChange> resource)
      throws InterruptedException, ExecutionException {
    givingBack = change.filter(c -> c.hold() instanceof Hold.GiveBack).isPresent();
    RunWrite write = folder.ledger.take(change, resource, folder.now());
    RunStore.@Nullable Outcome outcome = folder.shop.store().write(write).get();
    if (outcome == RunStore.Outcome.WRITTEN) {
      return true;
    }
    folder.shop.metrics().fencedWrite();
    LOG.warn(
        "run {} is not ours any more (epoch {}): stopping", folder.run.id(), folder.run.epoch());
    return false;
  }
}
