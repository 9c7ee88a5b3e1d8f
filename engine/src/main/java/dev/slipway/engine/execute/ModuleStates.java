package dev.slipway.engine.execute;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where steps keep the state of their Terraform modules from call to call: encrypted, with the last
 * few states before it. A workspace belongs to one step at a time; its lock is lost as soon as
 * somebody else takes it, and whoever writes with a lost lock changes nothing.
 */
public interface ModuleStates {
  /**
   * Takes the workspace for this holder. The lock of an earlier attempt of the same step is taken
   * over, and so is that of a run that has ended; every other lock is respected.
   */
  Claim claim(Workspace workspace, Holder holder, Instant now);

  /** The state as it is, without a lock: to look at outputs. */
  Glance look(Workspace workspace);

  /** Makes this the state. {@link Written#REFUSED} when the lock is no longer ours. */
  Written write(Lock lock, byte[] state, Instant now);

  /** Gives the workspace back; false when it was no longer ours. */
  boolean release(Lock lock);

  /** Everything was destroyed: forgets the workspace; false when it was no longer ours. */
  boolean forget(Lock lock);

  /**
   * What a state is of, and the team that asks for it. {@code resource} is null for one that
   * belongs to no resource.
   */
  record Workspace(String key, String provider, @Nullable UUID resource, String team) {}

  /** Who works on it. */
  record Holder(UUID run, String step, long epoch) {}

  /** The right to write, until it is lost. */
  record Lock(String key, UUID id, Holder holder) {}

  /** Whether a state was kept. */
  enum Written {
    KEPT,
    REFUSED
  }

  /** What came of a claim. */
  sealed interface Claim {
    /**
     * It is ours. {@code before} had the lock and never gave it back: what it did last may be on
     * its disk only.
     */
    record Held(Lock lock, Optional<byte[]> state, Optional<Lock> before) implements Claim {}

    /** Somebody is working on it. */
    record Busy(Holder by, String workflow, String requestedBy, Instant since) implements Claim {}

    /** There was a state, and it is gone. {@code kept} are the versions that are still there. */
    record Missing(String kept) implements Claim {}

    /** Another team's run made it. */
    record Foreign() implements Claim {}

    /** The run belongs to somebody else by now. */
    record Fenced() implements Claim {}
  }

  /** What is seen without a lock. */
  sealed interface Glance {
    /** The state. */
    record State(byte[] bytes) implements Glance {}

    /** Nothing was ever made. */
    record None() implements Glance {}

    /** Another team's run made it. */
    record Foreign() implements Glance {}

    /** There was a state, and it is gone. */
    record Missing(String kept) implements Glance {}
  }
}
