package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a resource stands once its moves are made. */
record ResourceVerdict(Kind kind, ResourceState state, List<Move> moves, @Nullable Reason reason) {

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

  static ResourceVerdict done(ResourceState state) {
    return new ResourceVerdict(Kind.DONE, state, List.of(), null);
  }

  static ResourceVerdict moving(ResourceState state) {
    return new ResourceVerdict(Kind.MOVING, state, List.of(), null);
  }

  static ResourceVerdict waiting(ResourceState state) {
    return new ResourceVerdict(Kind.WAITING, state, List.of(), null);
  }

  static ResourceVerdict stuck(ResourceState state, Reason reason) {
    return new ResourceVerdict(Kind.STUCK, state, List.of(), reason);
  }

  ResourceVerdict with(Move... more) {
    List<Move> all = new ArrayList<>(List.of(more));
    all.addAll(moves);
    return new ResourceVerdict(kind, state, all, reason);
  }

  boolean done() {
    return kind == Kind.DONE;
  }

  Optional<Reason> problem() {
    return kind == Kind.STUCK ? Optional.ofNullable(reason) : Optional.empty();
  }
}
