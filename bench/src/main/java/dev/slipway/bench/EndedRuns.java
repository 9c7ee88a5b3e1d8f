package dev.slipway.bench;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls back for every run that succeeds, and refuses any other end. */
record EndedRuns(Runnable ended) implements RunMetrics {
  @Override
  public void runEnded(ClaimedRun run, RunState state, Duration took, @Nullable StepError error) {
    if (state != RunState.SUCCEEDED) {
      throw new IllegalStateException("a run ended " + state + ": " + error);
    }
    ended.run();
  }

  @Override
  public void stepEnded(String type, StepState state, Duration took) {}

  @Override
  public void started(Duration latency) {}

  @Override
  public void leasesLost(int count) {
    System.out.println("leases lost: " + count);
  }

  @Override
  public void fencedWrite() {
    System.out.println("a fenced write");
  }
}
