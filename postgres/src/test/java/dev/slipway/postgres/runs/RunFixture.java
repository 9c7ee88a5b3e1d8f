package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.RootColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Runs and transitions as tests need them. */
final class RunFixture {
  static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
  static final Duration LEASE = Duration.ofSeconds(30);

  static final Resolution.Definition DEFINITION =
      new Resolution.Definition(
          "acme",
          "1.0.0",
          null,
          "content",
          null,
          Map.of(),
          new Workflow("make", "", List.of(), Map.of(), List.of(), Map.of(), List.of()),
          "source",
          Map.of());

  private RunFixture() {}

  static NewRun run() {
    return run(NewRun.Subject.NONE, NOW);
  }

  static NewRun run(NewRun.Subject subject, Instant createdAt) {
    return new NewRun(
        UUID.randomUUID(),
        NewRun.Kind.RESOURCE,
        DEFINITION,
        "create",
        subject,
        new NewRun.Tenancy("default", "team"),
        NewRun.Origin.NONE,
        new NewRun.Inputs(Map.of("size", 3L), Map.of("app", "shop"), Map.of()),
        new NewRun.Creation("somebody", createdAt),
        Duration.ofMinutes(30));
  }

  /** A transition of a claimed run that moves steps only. */
  static RunWrite steps(ClaimedRun run, StepRecord... steps) {
    return write(run, run.version(), Optional.empty(), steps);
  }

  static RunWrite ends(ClaimedRun run, RunState state, StepRecord... steps) {
    return write(run, run.version(), Optional.of(change(state, new Hold.GiveBack(null, 0))), steps);
  }

  static RunWrite parks(ClaimedRun run, Instant until, int signalsSeen) {
    return write(
        run,
        run.version(),
        Optional.of(change(RunState.WAITING, new Hold.GiveBack(until, signalsSeen))));
  }

  static RunChange change(RunState state, Hold hold) {
    return new RunChange(state, hold, Map.of(), Map.of(), null, null, Deadline.RUNS);
  }

  static RunWrite write(
      ClaimedRun run, long version, Optional<RunChange> change, StepRecord... steps) {
    return new RunWrite(
        run.id(),
        run.fence(),
        version,
        List.of(steps),
        List.of(),
        change,
        Optional.empty(),
        RunWrite.Others.NONE,
        List.of(
            new Event(
                "step.started",
                RootColumn.ref("shop", "default"),
                "default",
                "team",
                "engine",
                NOW,
                Map.of("runId", run.id().toString()))),
        NOW);
  }
}
