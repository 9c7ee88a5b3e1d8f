package dev.slipway.applications.store;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.environments.EnvironmentReconciler;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.List;

/** The loop of a yard, which takes its turns when the test says so. */
final class YardLoop {
  private static final Duration POLL = Duration.ofSeconds(5);

  private final ApplicationReconciler reconciler;
  private final ReconcileLoop loop;
  private final ApplicationContext context;
  private final ReconcileLoop expiry;

  YardLoop(ApplicationContext context, RunStore runs) {
    this.reconciler = new ApplicationReconciler(context, runs);
    this.loop = loop(context, reconciler, Threads.OF_MACHINE);
    this.context = context;
    this.expiry =
        loop(
            context,
            new EnvironmentReconciler(
                environments(context),
                List.of(new ApplicationOccupant(context, runs)),
                new PlannedRuns(context.jdbi(), context.box(), context.ids()),
                POLL),
            Threads.OF_MACHINE);
  }

  static EnvironmentStore.Parts environments(ApplicationContext context) {
    return new EnvironmentStore.Parts(
        new Transactions(context.jdbi(), () -> {}),
        context.config(),
        context.box(),
        context.clock());
  }

  static ReconcileLoop loop(ApplicationContext context, Reconciler reconciler, Threads threads) {
    return new ReconcileLoop(
        new ReconcileLoop.Parts(
            context.jdbi(), context.notifications(), context.clock(), POLL, threads),
        List.of(reconciler));
  }

  /** One turn for each application with something to do; how many there were. */
  int advanceDue() {
    return loop.advanceDue();
  }

  void wakeAll() {
    reconciler.wakeAll();
  }

  /** Announces and ends what has had its time. */
  void enforceExpiry() {
    context.jdbi().useTransaction(h -> EnvironmentReconciler.begin(h, context.now()));
    int turns = expiry.advanceDue();
    while (turns > 0) {
      turns = expiry.advanceDue();
    }
  }
}
