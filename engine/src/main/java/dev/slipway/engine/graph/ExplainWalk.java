package dev.slipway.engine.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out why a node waits: follows what each node is blocked by, one level and one question to
 * the branches at a time. A node that is met twice is asked once, so a cycle ends the walk, too.
 */
public final class ExplainWalk {

  /** Asks branches for nodes. A node that is missing in the answer does not exist. */
  public interface Views {
    Map<NodeRef, NodeView> find(Set<NodeRef> refs);
  }

  /**
   * One node that is in the way, or that waits.
   *
   * @param view empty if no branch of this server has such a node
   */
  public record Entry(NodeRef node, Optional<NodeView> view) {

    /** Empty for a node without a view. */
    public List<NodeRef> blockedBy() {
      return view.map(NodeView::blockedBy).orElse(List.of());
    }

    /** Whether it waits for no other node. */
    public boolean root() {
      return blockedBy().isEmpty();
    }
  }

  /**
   * What a walk found.
   *
   * @param of the node that was asked for
   * @param entries root causes first, the node itself last; empty if nothing is in its way
   * @param cycle nodes that wait for each other, as a path that ends where it began; or empty
   * @param whole false if there are more nodes than were asked for
   */
  public record Found(NodeView of, List<Entry> entries, List<NodeRef> cycle, boolean whole) {
    public Found {
      entries = List.copyOf(entries);
      cycle = List.copyOf(cycle);
    }
  }

  private final Views views;
  private final int most;

  /** By reference, in the order in which they were met. */
  private final Map<NodeRef, Entry> met = new LinkedHashMap<>();

  private boolean whole = true;

  private ExplainWalk(Views views, int most) {
    this.views = views;
    this.most = most;
  }

  /** Walks from a node through at most {@code most} nodes; empty if there is no such node. */
  public static Optional<Found> from(NodeRef node, int most, Views views) {
    ExplainWalk walk = new ExplainWalk(views, most);
    Set<NodeRef> level = Set.of(node);
    while (!level.isEmpty()) {
      level = walk.next(level);
    }
    return Optional.ofNullable(walk.met.get(node)).flatMap(Entry::view).map(walk::found);
  }

  /** Meets a level; answers the next one. */
  private Set<NodeRef> next(Set<NodeRef> level) {
    Map<NodeRef, NodeView> found = views.find(level);
    List<Entry> entries =
        level.stream()
            .sorted()
            .map(ref -> new Entry(ref, Optional.ofNullable(found.get(ref))))
            .toList();
    entries.forEach(entry -> met.put(entry.node(), entry));
    Set<NodeRef> next = new HashSet<>();
    for (Entry entry : entries) {
      for (NodeRef blocker : entry.blockedBy()) {
        if (met.containsKey(blocker) || next.contains(blocker)) {
          continue;
        }
        if (met.size() + next.size() > most) {
          whole = false;
        } else {
          next.add(blocker);
        }
      }
    }
    return next;
  }

  private Found found(NodeView of) {
    boolean well = of.why().isEmpty() && of.blockedBy().isEmpty();
    Dag<NodeRef> waits = waits();
    return new Found(of, well ? List.of() : ordered(waits), waits.cycle().orElse(List.of()), whole);
  }

  private Dag<NodeRef> waits() {
    Map<NodeRef, List<NodeRef>> blockedBy = LinkedHashMap.newLinkedHashMap(met.size());
    met.forEach((ref, entry) -> blockedBy.put(ref, entry.blockedBy()));
    return Dag.of(blockedBy);
  }

  /** What waits for nothing first, then what waits for it; of a cycle what is furthest away. */
  private List<Entry> ordered(Dag<NodeRef> waits) {
    Map<NodeRef, Entry> left = new LinkedHashMap<>(met);
    List<Entry> entries = new ArrayList<>();
    for (NodeRef ref : waits.sorted()) {
      Optional.ofNullable(left.remove(ref)).ifPresent(entries::add);
    }
    entries.addAll(List.copyOf(left.values()).reversed());
    return entries;
  }
}
