package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Counters of the engine. Called often and from many threads, so implementations must be fast. */
public interface RunMetrics {
  /** A run ended. {@code error} is the code of its failure. */
  void runEnded(ClaimedRun run, RunState state, Duration took, @Nullable StepError error);

  /** A step ended, after {@code took} in its last attempt. */
  void stepEnded(String type, StepState state, Duration took);

  /** A run's first step begins, so long after the run was made. */
  void started(Duration latency);

  /** This many leases ran out or were taken over. */
  void leasesLost(int count);

  /** A write came too late and changed nothing. */
  void fencedWrite();

  /** Discards everything. */
  RunMetrics NONE =
      new RunMetrics() {
        @Override
        public void runEnded(
            ClaimedRun run, RunState state, Duration took, @Nullable StepError error) {}

        @Override
        public void stepEnded(String type, StepState state, Duration took) {}

        @Override
        public void started(Duration latency) {}

        @Override
        public void leasesLost(int count) {}

        @Override
        public void fencedWrite() {}
      };
}
