package dev.slipway.web.branch;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Takes samples of nodes of a branch. How is the branch's own affair: it may look, or watch what
 * tells of changes by itself. It stores each with {@link
 * dev.slipway.postgres.health.NodeHealth#write}, which signals the keys whose gates wait for it.
 */
public interface Sampler {
  /** The kinds of nodes that it takes samples of. */
  List<NodeKind> kinds();

  /**
   * Asks for a sample of each of these nodes that begins after the commit of the transaction. Nodes
   * that do not exist are left out.
   */
  void ask(Handle tx, Set<NodeRef> nodes);

  /**
   * Something outside has changed that carries one of these ids as its owner: asks for samples of
   * those that are the branch's. Others are left out.
   */
  default void changed(Handle tx, Set<UUID> owners) {}
}
