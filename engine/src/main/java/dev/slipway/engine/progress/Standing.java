package dev.slipway.engine.progress;

import dev.slipway.engine.lifecycle.ResourceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a resource stands once its moves are made. */
record Standing(Kind kind, ResourceState state, List<Move> moves, @Nullable Reason reason) {

  enum Kind {
    /** As it should be. */
    DONE,
    /** A run is under way or begins. */
    MOVING,
    /** It waits for another resource. */
    WAITING,
    /** Nothing will change by itself. */
    STUCK
  }

  static Standing done(ResourceState state) {
    return new Standing(Kind.DONE, state, List.of(), null);
  }

  static Standing moving(ResourceState state) {
    return new Standing(Kind.MOVING, state, List.of(), null);
  }

  static Standing waiting(ResourceState state) {
    return new Standing(Kind.WAITING, state, List.of(), null);
  }

  static Standing stuck(ResourceState state, Reason reason) {
    return new Standing(Kind.STUCK, state, List.of(), reason);
  }

  Standing with(Move... more) {
    List<Move> all = new ArrayList<>(List.of(more));
    all.addAll(moves);
    return new Standing(kind, state, all, reason);
  }

  boolean done() {
    return kind == Kind.DONE;
  }

  Optional<Reason> problem() {
    return kind == Kind.STUCK ? Optional.ofNullable(reason) : Optional.empty();
  }
}
