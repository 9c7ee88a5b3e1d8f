package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import java.time.Duration;
import java.util.List;

/** The loop of a yard, which takes its turns when the test says so. */
final class YardLoop {
  private final ApplicationReconciler reconciler;
  private final ReconcileLoop loop;
  private final ExpiryWatch expiry;

  YardLoop(Ground ground, RunStore runs) {
    this.reconciler = new ApplicationReconciler(ground, runs);
    this.loop = loop(ground, reconciler, Threads.OF_MACHINE);
    this.expiry = new ExpiryWatch(ground, runs, Duration.ofSeconds(5), Threads.OF_MACHINE);
  }

  static ReconcileLoop loop(Ground ground, ApplicationReconciler reconciler, Threads threads) {
    return new ReconcileLoop(
        new ReconcileLoop.Parts(
            ground.jdbi(), ground.notifications(), ground.clock(), Duration.ofSeconds(5), threads),
        List.of(reconciler));
  }

  /** One turn for each application with something to do; how many there were. */
  int advanceDue() {
    return loop.advanceDue();
  }

  void wakeAll() {
    reconciler.wakeAll();
  }

  void enforceExpiry() {
    expiry.enforce();
  }
}
