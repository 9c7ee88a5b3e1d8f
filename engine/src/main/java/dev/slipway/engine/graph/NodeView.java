package dev.slipway.engine.graph;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node as its branch shows it to the rest of the system.
 *
 * @param team that it belongs to; empty if it belongs to the whole installation
 * @param state of its life, in the branch's own words
 * @param revision that samples of its health have to belong to; empty if it has none
 * @param blockedBy nodes that it waits for at present, or whose failure is why it failed
 * @param why it is not what was asked for; empty if it is, or if blockedBy says all there is to say
 */
public record NodeView(
    NodeRef node,
    Optional<String> team,
    String state,
    Optional<String> revision,
    List<NodeRef> blockedBy,
    Optional<Why> why) {

  /**
   * A sentence about a node.
   *
   * @param text without the node's name: {@code step 'migrate' waits for an approval}
   * @param command what to type next; empty if waiting is all there is to do
   */
  public record Why(String text, Optional<Instant> since, Optional<String> command) {}

  public NodeView {
    blockedBy = List.copyOf(blockedBy);
  }

  /** A node that exists but whose state the caller may not know. */
  public NodeView withheld() {
    return new NodeView(
        node,
        team,
        "unknown",
        Optional.empty(),
        List.of(),
        Optional.of(new Why("belongs to another team", Optional.empty(), Optional.empty())));
  }
}
