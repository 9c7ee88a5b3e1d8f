package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The last transition of a run whose definition or values cannot be used, at its claim or later:
 * the run fails with that error. Wakes the run that waits for it and cancels the runs that it made.
 */
final class FailureWrite {
  private FailureWrite() {}

  static RunWrite of(ClaimedRun run, StepError error, Instant at) {
    return of(run, run.version(), List.of(), List.of(), error, at);
  }

  /** After {@code version} writes of its owner; with these steps as they end, and runs to stop. */
  static RunWrite of(
      ClaimedRun run,
      long version,
      List<StepRecord> steps,
      List<RunWrite.Halt> halted,
      StepError error,
      Instant at) {
    RunChange change =
        new RunChange(
            RunState.FAILED,
            new Hold.GiveBack(null, run.signals()),
            Map.of(),
            Map.of(),
            error,
            null,
            Deadline.RUNS);
    RunEnd end = new RunEnd(RunState.FAILED, Map.of(), error, null, List.of());
    return new RunWrite(
        run.id(),
        run.fence(),
        version,
        steps,
        List.of(),
        Optional.of(change),
        end.report(run),
        new RunWrite.Others(List.of(), halted, woken(run)),
        run.subject().quiet() ? List.of() : List.of(event(run, error, at)),
        at);
  }

  private static Optional<UUID> woken(ClaimedRun run) {
    return run.kind().belongsToAnother() ? Optional.ofNullable(run.parent()) : Optional.empty();
  }

  private static Event event(ClaimedRun run, StepError error, Instant at) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", run.id().toString());
    data.put("status", RunState.FAILED.text());
    data.put("error", RunEvents.tree(error));
    return new Event(
        "workflow.failed",
        run.subject().rootRef(),
        run.environment(),
        run.team(),
        "engine",
        at,
        data);
  }
}
