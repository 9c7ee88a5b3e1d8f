package dev.slipway.applications.progress;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The answer to a question about a part of an application. */
public sealed interface NeighbourhoodDecision {
  /**
   * What to do about that part; nothing is to be done about the rest.
   *
   * @param moving whether a run is under way in that part, or begins, or a gate waits
   * @param until when to ask about everything at the latest, because a gate waits
   */
  record Decided(
      List<Move> moves, List<Decision.Wait> waits, boolean moving, Optional<Instant> until)
      implements NeighbourhoodDecision {
    public Decided {
      moves = List.copyOf(moves);
      waits = List.copyOf(waits);
    }
  }

  /** The same has to be asked with more resources in the {@link Neighbourhood}. */
  record Wider(Set<UUID> core, Set<UUID> expanded) implements NeighbourhoodDecision {
    public Wider {
      core = Set.copyOf(core);
      expanded = Set.copyOf(expanded);
    }
  }
}
