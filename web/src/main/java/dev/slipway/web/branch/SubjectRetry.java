package dev.slipway.web.branch;

import dev.slipway.engine.access.Caller;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tries again what a run of a branch's object failed at. Such a run follows from the state of its
 * object, so the branch makes the new one.
 */
public interface SubjectRetry {
  /** Which definition the new run has. */
  enum By {
    /** The one that the run before was made with. */
    STORED,
    /** The one that the provider has now. */
    LATEST
  }

  /**
   * What to try again.
   *
   * @param run which must be the object's last
   * @param carry steps of it that may be taken over
   */
  record Again(UUID run, Set<String> carry, By by) {}

  /** The new run's id; empty while the object waits for something else. */
  Optional<UUID> retry(Caller caller, UUID subject, Again again);
}
