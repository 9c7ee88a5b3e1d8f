package dev.slipway.kubernetes.health;

import dev.slipway.engine.health.Stale;
import java.util.ArrayList;
import java.util.List;

/**
 * What the API server answered when an object was applied: the revision that a look has to find
 * before its health counts.
 */
public record Applied(String uid, long generation) {
  public static Applied of(LiveObject answer) {
    return new Applied(answer.text("metadata", "uid"), answer.count("metadata", "generation"));
  }

  /** The tests of freshness that the object fails; none: its health is that of this revision. */
  public List<Stale> stale(LiveObject now) {
    List<Stale> stale = new ArrayList<>();
    String found = now.text("metadata", "uid");
    if (!found.equals(uid)) {
      stale.add(new Stale("uid", uid, found.isEmpty() ? "none" : found));
    }
    long current = now.count("metadata", "generation");
    if (current < generation) {
      stale.add(new Stale("generation", "at least " + generation, Long.toString(current)));
    }
    long observed = now.whole("status", "observedGeneration").orElse(current);
    if (observed != current) {
      stale.add(new Stale("observedGeneration", Long.toString(current), Long.toString(observed)));
    }
    return List.copyOf(stale);
  }
}
