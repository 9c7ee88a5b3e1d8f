package dev.slipway.engine.execute;

import java.time.Duration;

/**
 * How one replica works.
 *
 * @param owner this process, as it signs its leases
 * @param runs how many runs it holds at once; those that wait are not held
 * @param batch how many it claims at once
 * @param lease how long a run stays its own without a heartbeat
 * @param pollInterval how often it looks for work that nobody told it of
 * @param stepsPerType how many steps of one type it executes at once
 * @param stepsPerProvider how many steps of one provider it executes at once
 */
public record EngineSettings(
    RunStore.Owner owner,
    int runs,
    int batch,
    Duration lease,
    Duration pollInterval,
    int stepsPerType,
    int stepsPerProvider) {

  /** What suits most. */
  public static EngineSettings of(RunStore.Owner owner) {
    return new EngineSettings(
        owner, 1000, 100, Duration.ofSeconds(30), Duration.ofSeconds(5), 256, 64);
  }

  /** The same with another lease. */
  public EngineSettings withLease(Duration other) {
    return new EngineSettings(
        owner, runs, batch, other, pollInterval, stepsPerType, stepsPerProvider);
  }

  /** The same with other limits for steps. */
  public EngineSettings withSteps(int perType, int perProvider) {
    return new EngineSettings(owner, runs, batch, lease, pollInterval, perType, perProvider);
  }

  /** The same with another batch and number of runs. */
  public EngineSettings withRuns(int held, int claimed) {
    return new EngineSettings(
        owner, held, claimed, lease, pollInterval, stepsPerType, stepsPerProvider);
  }
}
