package dev.slipway.engine.execute;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The states of Terraform modules between calls of their steps: encrypted, with the last few
 * versions. One step at a time holds the lock of a workspace. When another step takes the lock
 * over, writes with the former lock change nothing.
 */
public interface ModuleStates {
  /**
   * Locks the workspace for this holder. Takes over the lock of an earlier attempt of the same step
   * and that of a run that has ended; respects every other lock.
   */
  Claim claim(Workspace workspace, Holder holder, Instant now);

  /** Reads the state without the lock, for its outputs. */
  Glance look(Workspace workspace);

  /** Stores the state. {@link Written#REFUSED} when the lock was lost. */
  Written write(Lock lock, byte[] state, Instant now);

  /** Releases the lock; false when it was lost before. */
  boolean release(Lock lock);

  /** Removes the workspace after everything was destroyed; false when the lock was lost before. */
  boolean forget(Lock lock);

  /**
   * The owner of a state, and the team of the run that uses it. {@code resource} is null for a
   * workspace that a workflow names.
   */
  record Workspace(String key, String provider, @Nullable UUID resource, String team) {}

  /** The step that holds a lock. */
  record Holder(UUID run, String step, long epoch) {}

  /** The right to write, until another step takes it over. */
  record Lock(String key, UUID id, Holder holder) {}

  /** Whether a state was stored. */
  enum Written {
    KEPT,
    REFUSED
  }

  /** The result of a claim. */
  sealed interface Claim {
    /**
     * The caller has the lock. {@code before} held it and never released it: its last state may be
     * on its server's disk only.
     */
    record Held(Lock lock, Optional<byte[]> state, Optional<Lock> before) implements Claim {}

    /** Another step holds the lock. */
    record Busy(Holder by, String workflow, String requestedBy, Instant since) implements Claim {}

    /** The state was lost. {@code kept} names the older versions that are still stored. */
    record Missing(String kept) implements Claim {}

    /** The state belongs to a run of another team. */
    record Foreign() implements Claim {}

    /** Another replica owns the run by now. */
    record Fenced() implements Claim {}
  }

  /** The result of a read without the lock. */
  sealed interface Glance {
    /** The newest version. */
    record State(byte[] bytes) implements Glance {}

    /** No state was ever stored. */
    record None() implements Glance {}

    /** The state belongs to a run of another team. */
    record Foreign() implements Glance {}

    /** The state was lost. */
    record Missing(String kept) implements Glance {}
  }
}
