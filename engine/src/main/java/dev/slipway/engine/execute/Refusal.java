package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.lifecycle.RunState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The one transition of a run that cannot be taken up at all: it fails, and says why. */
final class Refusal {
  private Refusal() {}

  static RunWrite of(ClaimedRun run, StepError error, Instant at) {
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
    Optional<ResourceChange> resource = end.resourceChange(run);
    return new RunWrite(
        run.id(),
        run.epoch(),
        run.version(),
        List.of(),
        List.of(),
        Optional.of(change),
        resource,
        List.of(event(run, error, at)),
        at);
  }

  private static Event event(ClaimedRun run, StepError error, Instant at) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", run.id().toString());
    data.put("status", RunState.FAILED.text());
    data.put("error", RunEvents.tree(error));
    return new Event(
        "workflow.failed",
        run.subject().applicationName(),
        run.environment(),
        run.team(),
        "engine",
        at,
        data);
  }
}
