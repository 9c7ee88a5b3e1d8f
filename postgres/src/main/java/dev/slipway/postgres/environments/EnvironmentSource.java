package dev.slipway.postgres.environments;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.nodes.NodeSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Environments as nodes. One that ends waits for what is left in it. */
public final class EnvironmentSource implements NodeSource {
  /** As users see it. */
  private enum Phase implements State {
    ACTIVE,
    EXPIRED,
    DELETING
  }

  /** More are not named: they are what is left, not why. */
  private static final int LEFT = 100;

  private final List<Occupant> occupants;
  private final InstantSource clock;

  public EnvironmentSource(List<Occupant> occupants, InstantSource clock) {
    this.occupants = List.copyOf(occupants);
    this.clock = clock;
  }

  @Override
  public List<NodeKind> kinds() {
    return List.of(TrunkKinds.ENVIRONMENT);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeRef, NodeView> found = new HashMap<>();
    for (NodeRef ref : refs) {
      EnvironmentRow.find(tx, ref.name())
          .filter(row -> TrunkKinds.ENVIRONMENT.ref(row.name()).equals(ref))
          .ifPresent(row -> found.put(ref, view(tx, row)));
    }
    return found;
  }

  private NodeView view(Handle tx, EnvironmentRow row) {
    Optional<Instant> ends = Optional.ofNullable(row.expiresAt());
    boolean expired = ends.filter(at -> !at.isAfter(clock.instant())).isPresent();
    return new NodeView(
        TrunkKinds.ENVIRONMENT.ref(row.name()),
        Optional.ofNullable(row.team()),
        (row.deleting() ? Phase.DELETING : expired ? Phase.EXPIRED : Phase.ACTIVE).text(),
        Optional.empty(),
        row.deleting() || expired ? left(tx, row.name()) : List.of(),
        row.deleting()
            ? why("is deleted when nothing is left in it", row.updatedAt())
            : ends.filter(_ -> expired)
                .flatMap(at -> why("has expired: what is in it is torn down", at)));
  }

  private static Optional<Why> why(String text, Instant since) {
    return Optional.of(new Why(text, Optional.of(since), Optional.empty()));
  }

  private List<NodeRef> left(Handle tx, String name) {
    return occupants.stream()
        .flatMap(occupant -> occupant.remaining(tx, name, LEFT).stream())
        .limit(LEFT)
        .toList();
  }
}
