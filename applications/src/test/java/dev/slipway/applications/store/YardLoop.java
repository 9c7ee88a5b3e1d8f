package dev.slipway.applications.store;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.environments.ExpiryWatch;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.List;

/** The loop of a yard, which takes its turns when the test says so. */
final class YardLoop {
  private final ApplicationReconciler reconciler;
  private final ReconcileLoop loop;
  private final ExpiryWatch expiry;

  YardLoop(ApplicationContext context, RunStore runs) {
    this.reconciler = new ApplicationReconciler(context, runs);
    this.loop = loop(context, reconciler, Threads.OF_MACHINE);
    this.expiry =
        new ExpiryWatch(
            environments(context),
            List.of(new ApplicationOccupant(context, runs)),
            new ExpiryWatch.Parts(
                new PlannedRuns(context.jdbi(), context.box(), context.ids()),
                context.notifications(),
                Duration.ofSeconds(5),
                Threads.OF_MACHINE));
  }

  static EnvironmentStore.Parts environments(ApplicationContext context) {
    return new EnvironmentStore.Parts(
        new Transactions(context.jdbi(), () -> {}),
        context.config(),
        context.box(),
        context.clock());
  }

  static ReconcileLoop loop(
      ApplicationContext context, ApplicationReconciler reconciler, Threads threads) {
    return new ReconcileLoop(
        new ReconcileLoop.Parts(
            context.jdbi(),
            context.notifications(),
            context.clock(),
            Duration.ofSeconds(5),
            threads),
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
