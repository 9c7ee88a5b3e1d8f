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
 * Where runs live. Every write of an owner carries the run's epoch and version and is refused when
 * either has moved on; many owners' writes share one transaction. Any method may fail because the
 * database is away, and may then have happened or not; {@link #write} alone finds out by itself.
 */
public interface RunStore {

  /** Stores new runs, claimable at once. */
  void insert(Collection<NewRun> runs);

  /**
   * Takes up to {@code max} claimable runs, those that have been so for longest first, but those
   * that were begun and lost their owner do not wait behind a queue. Each one's epoch is raised.
   * Never takes one that the same owner already holds.
   */
  default List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease) {
    return claim(owner, max, now, lease, Bounds.NONE);
  }

  /** The same within bounds that all replicas share. */
  List<ClaimedRun> claim(Owner owner, int max, Instant now, Duration lease, Bounds bounds);

  /** What a run executes. */
  DefinitionSnapshot definition(String hash);

  /**
   * Prolongs the leases of these runs (id to epoch), waiting for nobody who writes to one of them.
   * Those not in the answer are not held.
   */
  Map<UUID, Held> heartbeat(Owner owner, Map<UUID, Long> epochs, Instant leaseUntil);

  /**
   * Gives back these runs (id to epoch) without a transition: their worker could not go on. Answers
   * with those that somebody writes to just now, which are held as before.
   */
  Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt);

  /**
   * Gives back the runs of this owner whose lease has ended and that it does not know of: those of
   * a claim that happened although its answer never came.
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

  /** How many other replicas work here too, as far as is known; a hint for those who share work. */
  default int others() {
    return 0;
  }

  /** The child and rollback runs that this run has made, as they are now. */
  List<LinkedRun> madeBy(UUID run);

  /**
   * Wakes a run that waits, or has its owner look again: the one way to do so. Nothing happens to a
   * run that has ended.
   */
  void signal(UUID run, Instant now);

  /** Asks the owner of a run, whoever it is, to stop it. */
  CancelAnswer cancel(UUID run, Cancel how, Instant now);

  /**
   * Bounds of all replicas together.
   *
   * @param atOnce how many runs may be worked on at a time. Those that wait (for a timer, an
   *     approval, a child) are not worked on, so that nobody waits for a place that it holds
   *     itself; one that is to be cancelled needs no place
   * @param longest how long a run may take from now on, whatever held when it was made
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

  /** What became of a lease. */
  enum Lease {
    PROLONGED,
    /** Somebody writes to the run just now: it ends when it would have ended. */
    AS_BEFORE
  }

  /** How hard to stop: forced skips the {@code always} steps too. */
  enum Cancel implements State {
    REQUESTED,
    FORCED
  }

  /** What became of asking to cancel. */
  enum CancelAnswer {
    ASKED,
    FINISHED_ALREADY,
    UNKNOWN_RUN
  }

  /** What became of a write. */
  enum Outcome {
    WRITTEN,
    /** Another owner has the run: stop, change nothing. */
    FENCED
  }
}
