package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.NodeRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** What a branch keeps in environments. An environment ends when no occupant has anything left. */
public interface Occupant {
  /** What is still in the environment, in the order of names; at most {@code limit} nodes. */
  List<NodeRef> remaining(Handle tx, String environment, int limit);

  /** How many objects of a kind, by its plural, are in the environment and seen by the caller. */
  Map<String, Integer> count(Handle tx, String environment, Caller caller);

  /** Teams whose objects are in the environment or were, as long as rows of them are kept. */
  Set<String> teams(Handle tx, String environment);

  /** Whether a team owns objects of the branch; it is not deleted then. */
  boolean owns(Handle tx, String team);

  /**
   * Requests the removal of everything in the environment, each object in a transaction of its own;
   * runs do the work afterwards. Called again until nothing remains: objects that are being removed
   * are skipped, failures are logged.
   */
  void tearDown(String environment, Caller caller);

  /** Deletes the rows that are kept of objects that have gone: the environment goes with this. */
  void forget(Handle tx, String environment);
}
