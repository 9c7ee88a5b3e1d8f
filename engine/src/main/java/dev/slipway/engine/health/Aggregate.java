package dev.slipway.engine.health;

import dev.slipway.engine.graph.NodeRef;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The health of a node that consists of other nodes: the worst of theirs. Children that cannot be
 * observed are left out and counted.
 *
 * @param observed how many of the children were counted
 * @param message names the worst children
 */
public record Aggregate(Health health, int observed, int total, String message) {
  private static final int MOST_NAMED = 3;

  /** Worst first. */
  private static final List<Set<Health>> WORST =
      List.of(
          EnumSet.of(Health.FAILED),
          EnumSet.of(Health.DEGRADED, Health.MISSING),
          EnumSet.of(Health.UNKNOWN),
          EnumSet.of(Health.PROGRESSING),
          EnumSet.of(Health.SUSPENDED),
          EnumSet.of(Health.HEALTHY));

  /** A part of the node. */
  public sealed interface Child {
    /** Which one. */
    NodeRef node();

    /** What the looks at it found. */
    record Observed(NodeRef node, Health health) implements Child {}

    /** Nothing can look at it. */
    record NotObservable(NodeRef node) implements Child {}
  }

  /** Of these children; without one that was counted, nothing is known. */
  public static Aggregate of(Collection<? extends Child> children) {
    List<Child.Observed> counted =
        children.stream()
            .filter(Child.Observed.class::isInstance)
            .map(Child.Observed.class::cast)
            .toList();
    Health health = worst(counted);
    return new Aggregate(health, counted.size(), children.size(), message(counted, health));
  }

  /** {@code 4 of 6 observed}. */
  public String coverage() {
    return observed + " of " + total + " observed";
  }

  private static Health worst(List<Child.Observed> counted) {
    return worstOf(counted.stream().map(Child.Observed::health).toList());
  }

  /** Of parts that are no nodes of their own: Missing counts as Degraded unless all are. */
  public static Health worstOf(Collection<Health> parts) {
    if (parts.isEmpty()) {
      return Health.UNKNOWN;
    }
    if (parts.stream().allMatch(part -> part == Health.MISSING)) {
      return Health.MISSING;
    }
    Health worst = parts.stream().min(Comparator.comparingInt(Aggregate::rank)).orElseThrow();
    return worst == Health.MISSING ? Health.DEGRADED : worst;
  }

  private static int rank(Health health) {
    for (int rank = 0; rank < WORST.size(); rank++) {
      if (WORST.get(rank).contains(health)) {
        return rank;
      }
    }
    throw new IllegalStateException("no rank for " + health);
  }

  private static String message(List<Child.Observed> counted, Health health) {
    if (health == Health.HEALTHY || counted.isEmpty()) {
      return "";
    }
    List<Child.Observed> worst =
        counted.stream()
            .filter(child -> rank(child.health()) == rank(health))
            .sorted(Comparator.comparing(Child.Observed::node))
            .toList();
    String named =
        worst.stream()
            .limit(MOST_NAMED)
            .map(child -> child.node() + " is " + child.health().text())
            .collect(Collectors.joining(", "));
    int more = worst.size() - MOST_NAMED;
    return more > 0 ? named + " and " + more + " more" : named;
  }
}
