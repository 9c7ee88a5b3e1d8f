package dev.slipway.postgres.nodes;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** All sources of a server: each node is asked of the one that answers for its kind. */
public final class NodeSources {
  private final List<NodeKind> kinds = new ArrayList<>();
  private final Map<String, NodeSource> byPrefix = new HashMap<>();

  /** Two sources that answer for one prefix are a programming error. */
  public NodeSources(List<NodeSource> sources) {
    for (NodeSource source : sources) {
      for (NodeKind kind : source.kinds()) {
        if (byPrefix.put(kind.prefix(), source) != null) {
          throw new IllegalArgumentException("two sources of nodes with prefix " + kind.prefix());
        }
        kinds.add(kind);
      }
    }
  }

  /** Every kind that is answered for. */
  public List<NodeKind> kinds() {
    return List.copyOf(kinds);
  }

  /** Those of the nodes that exist, with one question to each source that is concerned. */
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeSource, Set<NodeRef>> asked = new HashMap<>();
    for (NodeRef ref : refs) {
      NodeSource source = byPrefix.get(ref.prefix());
      if (source != null) {
        asked.computeIfAbsent(source, _ -> new HashSet<>()).add(ref);
      }
    }
    Map<NodeRef, NodeView> found = new HashMap<>();
    asked.forEach((source, wanted) -> found.putAll(source.find(tx, wanted)));
    return found;
  }
}
