package dev.slipway.web.branch;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.health.GateWaits;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Asks for fresh samples of nodes, whichever branch they belong to. */
public interface Observer {
  /** Asks the branch of each node; the answer is a sample, stored some time after the commit. */
  void ask(Handle tx, Collection<NodeRef> nodes);

  /**
   * Opens the wait of a gate: the waiter is signalled by each stored sample of the node, and a
   * fresh one is asked for. The caller ends it with {@link GateWaits#close}.
   */
  default void await(Handle tx, NodeRef node, GateWaits.Waiter waiter) {
    GateWaits.open(tx, node, waiter);
    ask(tx, List.of(node));
  }
}
