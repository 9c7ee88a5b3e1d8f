package dev.slipway.applications.plan;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Observation;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What looks have found of a resource, and the gate of its attempt, which is the run in charge.
 *
 * @param attempted when the run in charge was made
 * @param ended when that run ended; null: it has not
 * @param gate of that run; empty: a replica of the version before made it, which begins dependents
 *     by the state of the resource alone
 * @param observed the newest sample and what those before it add; empty: none, or not loaded
 *     because nothing depends on it
 */
public record ResourceHealth(
    NodeRef node,
    Instant attempted,
    @Nullable Instant ended,
    Optional<GateRecord> gate,
    Optional<Observation> observed) {

  /** Of a resource that nothing has been attempted about. */
  public static ResourceHealth unknown(NodeRef node) {
    return new ResourceHealth(
        node, Instant.EPOCH, null, Optional.of(GateRecord.CLOSED), Optional.empty());
  }

  /** Whether dependents may begin as far as health counts. */
  public boolean open() {
    return gate.isEmpty() || gate.get().stage() == GateRecord.Stage.OPEN;
  }

  /** Whether the gate waits, so that a look can open it. */
  public boolean waiting() {
    return gate.isPresent() && gate.get().stage() == GateRecord.Stage.WAITING;
  }

  /** The same with what looks have found. */
  public ResourceHealth with(Optional<Observation> found) {
    return new ResourceHealth(node, attempted, ended, gate, found);
  }
}
