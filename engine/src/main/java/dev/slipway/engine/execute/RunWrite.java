package dev.slipway.engine.execute;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transition of one run: the steps that changed, the attempts that failed and will be repeated,
 * the run's own state when it changed, what it reports to its subject, and the events that tell of
 * it. All or nothing, and nothing at all when owner, epoch or version has moved on.
 */
public record RunWrite(
    UUID run,
    RunStore.Fence fence,
    long version,
    List<StepRecord> steps,
    List<FailedAttempt> attempts,
    Optional<RunChange> change,
    Optional<Report> report,
    Others others,
    List<Event> events,
    Instant at) {

  /** Of the claim that it belongs to. */
  public long epoch() {
    return fence.epoch();
  }

  /**
   * What it does to other runs.
   *
   * @param made child and rollback runs that begin with it
   * @param halted runs that it made and that are to stop now
   * @param woken the run that waits for this one, which has ended
   */
  public record Others(List<NewRun> made, List<Halt> halted, Optional<UUID> woken) {
    /** Nothing. */
    public static final Others NONE = new Others(List.of(), List.of(), Optional.empty());
  }

  /** A run that is to stop. */
  public record Halt(UUID run, RunStore.Cancel how) {}

  /** An attempt that failed and is followed by another one. */
  public record FailedAttempt(
      String step, int attempt, StepError error, @Nullable Instant startedAt, Instant finishedAt) {}

  /** The run as it is now. */
  public record RunChange(
      RunState state,
      Hold hold,
      Map<String, Object> variables,
      Map<String, Object> outputs,
      @Nullable StepError error,
      @Nullable Rollback rollback,
      Deadline deadline) {}

  /** What the run's time limit does from now on. */
  public enum Deadline {
    RUNS,
    /** It stands still until the next claim. */
    STANDS_STILL
  }

  /** Whether the writer goes on with the run. */
  public sealed interface Hold {
    /** It keeps the lease. */
    record Keep() implements Hold {}

    /**
     * It gives the run back, to be claimed at that time, or at a signal alone when null. Signals
     * are counted: when one came that the writer has not seen, the run is claimable at once.
     */
    record GiveBack(@Nullable Instant claimableAt, int signalsSeen) implements Hold {}
  }

  /** How undoing goes, or went. */
  public enum Rollback implements State {
    /** A run of its own is at it. */
    RUNNING,
    COMPLETE,
    INCOMPLETE
  }

  /**
   * What the reconciler of the run's subject has to know. The write signals the key; its turn
   * applies the report, provided that the run is still in charge of the item.
   *
   * @param error why it failed, or what an {@linkplain Effect#observes observation} found; an
   *     observation was made against the outputs among the run's inputs and counts while the item
   *     still has them
   */
  public record Report(
      NewRun.Key subject, Effect effect, String reason, @Nullable StepError error) {
    /** What the run says about it. */
    public enum Effect implements State {
      /** Its first step begins. */
      STARTED,
      /** It did what it was made for. */
      SUCCEEDED,
      /** It failed, and nothing or not all was undone. */
      FAILED,
      /** It failed, and everything it had done was undone. */
      ROLLED_BACK,
      /** A look found the item other than it was left. */
      DRIFTED,
      /** A look found that the item is gone. */
      MISSING,
      /** A look found something in its place that was not made for it. */
      NOT_OURS,
      /**
       * A look failed, and nothing is known; or its error says that the item is not healthy: {@link
       * StepError#PROGRESSING}, {@link StepError#DEGRADED}, {@link StepError#SUSPENDED}.
       */
      NOT_SEEN,
      /** A look found the item as it was left. */
      AS_LEFT;

      /** Whether it tells of a look at the item, not of work on it. */
      public boolean observes() {
        return switch (this) {
          case DRIFTED, MISSING, NOT_OURS, NOT_SEEN, AS_LEFT -> true;
          case STARTED, SUCCEEDED, FAILED, ROLLED_BACK -> false;
        };
      }
    }
  }
}
