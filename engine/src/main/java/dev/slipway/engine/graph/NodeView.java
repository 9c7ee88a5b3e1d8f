package dev.slipway.engine.graph;

import java.util.List;
import java.util.Optional;

/**
 * A node as a branch shows it to the rest of the system.
 *
 * @param team that it belongs to
 * @param state of its life, in the branch's own words
 * @param revision that samples of its health have to belong to; empty if it has none
 * @param blockedBy nodes that it waits for at present
 * @param reason why it is not what was asked for; empty if it is
 */
public record NodeView(
    NodeRef node,
    String team,
    String state,
    Optional<String> revision,
    List<NodeRef> blockedBy,
    Optional<String> reason) {
  public NodeView {
    blockedBy = List.copyOf(blockedBy);
  }
}
