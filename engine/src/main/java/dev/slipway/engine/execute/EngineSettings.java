package dev.slipway.engine.execute;

import java.time.Duration;

/**
 * How one replica works.
 *
 * @param owner this process, as it signs its leases
 * @param runs how many runs it holds at once; those that wait are not held
 * @param batch how many it claims at once
 * @param lease how long a run stays its own without a heartbeat
 * @param pollInterval how often it looks for work without a notification
 * @param programs how many steps it executes at once that run programs on this machine
 * @param calls how many steps of other types it executes at once
 */
public record EngineSettings(
    RunStore.Owner owner,
    int runs,
    int batch,
    Duration lease,
    Duration pollInterval,
    StepLimit programs,
    StepLimit calls) {

  /** Of one step type, and of one provider in it: no provider can take a whole type. */
  public record StepLimit(int perType, int perProvider) {}

  /** What suits most. */
  public static EngineSettings of(RunStore.Owner owner) {
    return new EngineSettings(
        owner,
        Math.clamp(200L * Runtime.getRuntime().availableProcessors(), 400, 1000),
        100,
        Duration.ofSeconds(15),
        Duration.ofSeconds(5),
        new StepLimit(64, 32),
        new StepLimit(1000, 500));
  }

  /** The same with another lease. */
  public EngineSettings withLease(Duration other) {
    return new EngineSettings(owner, runs, batch, other, pollInterval, programs, calls);
  }

  /** The same with other limits for steps. */
  public EngineSettings withSteps(StepLimit ofPrograms, StepLimit ofCalls) {
    return new EngineSettings(owner, runs, batch, lease, pollInterval, ofPrograms, ofCalls);
  }

  /** The same with another number of runs, claimed so many at once. */
  public EngineSettings withRuns(int held, int claimed) {
    return new EngineSettings(owner, held, claimed, lease, pollInterval, programs, calls);
  }
}
