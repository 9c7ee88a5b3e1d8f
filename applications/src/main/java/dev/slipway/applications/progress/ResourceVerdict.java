package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a resource stands once its moves are made.
 *
 * @param until when it is judged again at the latest, because its gate or the correction of drift
 *     waits; null: it does not wait for a time
 */
record ResourceVerdict(
    Kind kind,
    ResourceState state,
    List<Move> moves,
    @Nullable Reason reason,
    @Nullable Instant until) {

  enum Kind {
    /** As it should be. */
    DONE,
    /** A run is under way or begins. */
    MOVING,
    /** As it should be; its gate waits for a look that finds it Healthy. */
    GATED,
    /** It waits for another resource. */
    WAITING,
    /** Nothing will change by itself. */
    STUCK
  }

  static ResourceVerdict done(ResourceState state) {
    return new ResourceVerdict(Kind.DONE, state, List.of(), null, null);
  }

  static ResourceVerdict moving(ResourceState state) {
    return new ResourceVerdict(Kind.MOVING, state, List.of(), null, null);
  }

  static ResourceVerdict waiting(ResourceState state) {
    return new ResourceVerdict(Kind.WAITING, state, List.of(), null, null);
  }

  static ResourceVerdict stuck(ResourceState state, Reason reason) {
    return new ResourceVerdict(Kind.STUCK, state, List.of(), reason, null);
  }

  static ResourceVerdict gated(ResourceState state, Instant until) {
    return new ResourceVerdict(Kind.GATED, state, List.of(), null, until);
  }

  /** The same, decided anew at that time at the latest. */
  ResourceVerdict again(Instant at) {
    return new ResourceVerdict(
        kind, state, moves, reason, until == null || at.isBefore(until) ? at : until);
  }

  ResourceVerdict with(Move... more) {
    List<Move> all = new ArrayList<>(List.of(more));
    all.addAll(moves);
    return new ResourceVerdict(kind, state, all, reason, until);
  }

  boolean done() {
    return kind == Kind.DONE;
  }

  /** Whether something goes on about it that ends by itself. */
  boolean goesOn() {
    return kind == Kind.MOVING || kind == Kind.GATED;
  }

  Optional<Reason> problem() {
    return kind == Kind.STUCK ? Optional.ofNullable(reason) : Optional.empty();
  }
}
