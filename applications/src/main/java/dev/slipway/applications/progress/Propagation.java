package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Decides about resources that have changed, then about neighbours for which that makes a
 * difference, then about theirs, until it makes none.
 */
record Propagation(Neighbourhood around, Function<Set<UUID>, Round> rounds) {
  NeighbourhoodDecision decide() {
    Set<UUID> scope = new LinkedHashSet<>(around.items());
    while (true) {
      Round round = rounds.apply(scope);
      Verdicts verdicts = round.verdicts();
      Set<UUID> core = new HashSet<>();
      Set<UUID> expanded = new HashSet<>();
      Set<UUID> more = new HashSet<>();
      for (KnownResource resource : verdicts.decided()) {
        if (!around.core().contains(resource.id())) {
          core.add(resource.id());
        }
        if (makesADifference(verdicts, resource)) {
          if (around.expanded().contains(resource.id())) {
            more.addAll(verdicts.concernedBy(resource));
          } else {
            expanded.add(resource.id());
          }
        }
      }
      if (!core.isEmpty() || !expanded.isEmpty()) {
        return new NeighbourhoodDecision.Wider(core, expanded);
      }
      if (!scope.addAll(more)) {
        return round.decision();
      }
    }
  }

  /** What was decided last about an item is not known: its row has changed since. */
  private boolean makesADifference(Verdicts verdicts, KnownResource resource) {
    boolean before = verdicts.wasReady(resource);
    boolean after = verdicts.ready(resource);
    boolean turns =
        around.items().contains(resource.id())
            ? before || after || around.flipped().contains(resource.id())
            : before != after;
    return turns || verdicts.letsGo(resource);
  }
}
