package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where runs live. Every write of an owner carries the run's epoch and version and is refused when
 * either has moved on; many owners' writes share one transaction.
 */
public interface RunStore {

  /** Stores new runs, claimable at once. */
  void insert(Collection<NewRun> runs);

  /** Takes up to {@code max} claimable runs in order of age; each one's epoch is raised. */
  List<Claimed> claim(String owner, int max, Instant now, Duration lease);

  /** Prolongs the leases of these runs. Those not in the answer are lost. */
  Map<UUID, Held> heartbeat(String owner, Map<UUID, Long> epochs, Instant leaseUntil);

  /** Gives back everything that an owner known to be dead holds. */
  int release(String owner, Instant now);

  /** Writes a transition together with those of other runs; completes when it is durable. */
  CompletableFuture<Outcome> write(RunWrite write);

  /** When the next run becomes claimable. */
  Optional<Instant> nextDue();

  /** Asks the owner of a run, whoever it is, to stop it. */
  void cancel(UUID run, Cancel how, String by, Instant now);

  /** A new run. {@code carried} are steps taken over from the run that it retries. */
  record NewRun(
      UUID id,
      Kind kind,
      Resolution.Definition definition,
      @Nullable String operation,
      @Nullable UUID application,
      @Nullable UUID resource,
      @Nullable UUID deployment,
      String environment,
      String team,
      @Nullable UUID parent,
      Map<String, Object> inputs,
      List<StepWrite> carried,
      String createdBy,
      Instant createdAt,
      @Nullable Instant deadline) {}

  /** Why a run exists. */
  enum Kind {
    RESOURCE,
    GOLDEN_PATH,
    PLATFORM,
    CHILD,
    ROLLBACK
  }

  /** A run that now belongs to the caller until the lease ends. */
  record Claimed(
      NewRun run,
      long epoch,
      long version,
      RunState state,
      Map<String, Object> variables,
      List<StepWrite> steps,
      Optional<Cancel> cancel) {}

  /** A lease that was prolonged. */
  record Held(Optional<Cancel> cancel) {}

  /** How hard to stop. */
  enum Cancel {
    REQUESTED,
    FORCED
  }

  /** What became of a write. */
  enum Outcome {
    WRITTEN,
    /** Another owner has the run: stop, change nothing. */
    FENCED
  }

  /**
   * One transition of one run: the steps that changed, the run's own state when it changed, the
   * resource's when it changed, and the events that tell of it. All or nothing.
   */
  record RunWrite(
      UUID run,
      long epoch,
      long version,
      List<StepWrite> steps,
      Optional<RunChange> change,
      Optional<ResourceChange> resource,
      List<NewEvent> events) {}

  /** A step as it is now. */
  record StepWrite(
      String name,
      StepState state,
      int attempt,
      @Nullable Instant wakeAt,
      @Nullable String waitingFor,
      Map<String, Object> memory,
      @Nullable String inputHash,
      @Nullable Map<String, Object> outputs,
      @Nullable StepError error,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt) {}

  /**
   * The run as it is now. {@code claimableAt} is set when the owner gives it back: the next timer,
   * or null for a signal alone or the end.
   */
  record RunChange(
      RunState state,
      @Nullable Instant claimableAt,
      Map<String, Object> variables,
      Map<String, Object> outputs,
      @Nullable StepError error,
      @Nullable String rollback,
      Instant at) {}

  /** What the run does to its resource, in the same transaction. */
  record ResourceChange(
      UUID resource,
      ResourceState to,
      Actor actor,
      String reason,
      @Nullable StepError error,
      Optional<Map<String, Object>> outputs) {}

  /** Something to tell. */
  record NewEvent(String type, Map<String, Object> data) {}
}
