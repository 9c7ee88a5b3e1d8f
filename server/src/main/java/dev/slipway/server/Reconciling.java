package dev.slipway.server;

import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.environments.EnvironmentReconciler;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** Turns of the branches' keys; environments, and the end of what is in them. */
record Reconciling(
    ReconcileLoop loop,
    List<Occupant> occupants,
    EnvironmentStore environments,
    PlannedRuns planned) {

  static Reconciling of(Foundation foundation, Resolving resolving, Executing executing) {
    Jdbi jdbi = foundation.database().jdbi();
    Duration poll = resolving.settings().config().engine().pollInterval();
    List<Occupant> occupants = executing.branches().occupants();
    EnvironmentStore.Parts parts =
        new EnvironmentStore.Parts(
            new Transactions(jdbi, () -> executing.notifications().raise(Topic.EVENTS, "")),
            resolving.settings()::config,
            foundation.box(),
            foundation.clock());
    PlannedRuns planned = new PlannedRuns(jdbi, foundation.box(), foundation.ids());
    List<Reconciler> reconcilers = new ArrayList<>(executing.branches().reconcilers());
    reconcilers.add(new EnvironmentReconciler(parts, occupants, planned, poll));
    ReconcileLoop loop =
        new ReconcileLoop(
                new ReconcileLoop.Parts(
                    jdbi,
                    executing.notifications(),
                    foundation.clock(),
                    poll,
                    foundation.threads()),
                reconcilers)
            .start();
    jdbi.useTransaction(h -> EnvironmentReconciler.begin(h, foundation.clock().instant()));
    return new Reconciling(loop, occupants, new EnvironmentStore(parts, occupants), planned);
  }
}
