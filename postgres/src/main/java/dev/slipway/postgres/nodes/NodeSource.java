package dev.slipway.postgres.nodes;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Reads the nodes of a branch's kinds; no other branch reads its tables. */
public interface NodeSource {
  /** The kinds of nodes it answers for. */
  List<NodeKind> kinds();

  /** Those of the nodes that exist; a node that is missing in the answer does not. */
  Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs);
}
