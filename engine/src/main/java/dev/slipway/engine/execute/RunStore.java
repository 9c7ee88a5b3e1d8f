package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The durable store of runs. Every write of an owner carries the run's epoch and version and is
 * refused when either is outdated; writes of many runs share one transaction. Any method may fail
 * because the database is unreachable, and its outcome is then unknown; only {@link #write} finds
 * the outcome out itself.
 */
public interface RunStore {

  /** Stores new runs, claimable at once. */
  void insert(Collection<NewRun> runs);

  /**
   * Claims up to {@code max} claimable runs, first those that have begun and lost their owner, then
   * those that have been claimable for longest. Raises the epoch of each. Never claims a run that
   * the same owner already holds.
   */
  default List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease) {
    return claim(owner, max, now, lease, Bounds.NONE);
  }

  /** The same within bounds that all replicas share. */
  List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease, Bounds bounds);

  /** What a run executes. */
  DefinitionSnapshot definition(String hash);

  /**
   * Renews the leases of these runs (id to epoch) without waiting for locked rows. A run that is
   * missing in the answer is no longer held.
   */
  Map<UUID, Held> heartbeat(Owner owner, Map<UUID, Long> epochs, Instant leaseUntil);

  /**
   * Gives back these runs (id to epoch) without a transition, because their worker could not
   * continue. Answers those whose rows another transaction has locked; they stay held.
   */
  Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt);

  /**
   * Gives back the runs of this owner whose lease has ended and that are not in {@code held}: the
   * reply to their claim was lost.
   */
  int disown(Owner owner, Set<UUID> held, Instant now);

  /** Gives back everything that earlier processes of this replica hold; they are known dead. */
  int release(Owner successor, Instant now);

  /**
   * Writes a transition together with those of other runs; completes when it is durable. Fails with
   * a {@link RefusedWriteException} when trying again can never help.
   */
  CompletableFuture<Outcome> write(RunWrite write);

  /** When the next run becomes claimable for that owner, by timer or by the end of a lease. */
  Optional<Instant> nextDue(Owner owner);

  /** How many other replicas execute runs, as far as known; used by {@link ClaimFairness} only. */
  default int others() {
    return 0;
  }

  /** The child and rollback runs that this run has made, in their present states. */
  List<LinkedRun> madeBy(UUID run);

  /**
   * Wakes a run that waits, or has its owner look again: the one way to do so. Nothing happens to a
   * run that has ended.
   */
  void signal(UUID run, Instant now);

  /** Requests the owner of a run, which may be any replica, to stop it. */
  CancelAnswer cancel(UUID run, Cancel how, Instant now);

  /**
   * Limits of all replicas together.
   *
   * @param atOnce how many runs may execute at a time. Runs that wait (for a timer, an approval, a
   *     child) do not count, so that a parent cannot block its own child; runs to be cancelled do
   *     not need room
   * @param longest how long a run may take from now on, also if another limit held when it was made
   */
  record Bounds(Optional<Integer> atOnce, Optional<Duration> longest) {
    /** None. */
    public static final Bounds NONE = new Bounds(Optional.empty(), Optional.empty());
  }

  /** A replica and one process of it. */
  record Owner(String replica, String process) {
    /** As stored. */
    public String text() {
      return replica + "/" + process;
    }
  }

  /**
   * Who may write to a run: the owner that claimed it, in the epoch of that claim. A write whose
   * fence is not the run's own changes nothing.
   */
  record Fence(String owner, long epoch) {}

  /** A run that is held, and what arrived for it meanwhile. */
  record Held(Optional<Cancel> cancel, int signals, Lease lease) {}

  /** The result of a renewal. */
  enum Lease {
    PROLONGED,
    /** Another transaction has locked the run's row: the lease ends when it would have ended. */
    AS_BEFORE
  }

  /** How hard to stop: forced skips the {@code always} steps too. */
  enum Cancel implements State {
    REQUESTED,
    FORCED
  }

  /** The result of a request to cancel. */
  enum CancelAnswer {
    ASKED,
    FINISHED_ALREADY,
    UNKNOWN_RUN
  }

  /** The result of a write. */
  enum Outcome {
    WRITTEN,
    /** Another owner has claimed the run: the write changed nothing, the worker must stop. */
    FENCED
  }
}
