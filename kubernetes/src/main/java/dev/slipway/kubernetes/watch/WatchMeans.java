package dev.slipway.kubernetes.watch;

import dev.slipway.engine.threads.Threads;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.watch.WatchedObject.Mark;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What all watches share.
 *
 * @param owner the key of the label and the annotation that name an object's owner
 * @param manager how the names of our field managers begin
 * @param rules of health that are in force
 */
public record WatchMeans(
    String owner,
    String manager,
    Supplier<HealthRules> rules,
    WatchTiming timing,
    InstantSource clock,
    Threads threads) {
  /** A list comes in pages of so many objects. */
  private static final int PAGE = 100;

  Mark mark() {
    return new Mark(owner, manager);
  }

  int page() {
    return PAGE;
  }
}
