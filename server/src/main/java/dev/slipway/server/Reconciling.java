package dev.slipway.server;

import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.environments.ExpiryWatch;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** Turns of the branches' keys; environments, and the end of what is in them. */
record Reconciling(
    ReconcileLoop loop,
    List<Occupant> occupants,
    EnvironmentStore environments,
    PlannedRuns planned,
    ExpiryWatch expiry) {

  static Reconciling of(Foundation foundation, Resolving resolving, Executing executing) {
    Jdbi jdbi = foundation.database().jdbi();
    Duration poll = resolving.settings().config().engine().pollInterval();
    ReconcileLoop loop =
        new ReconcileLoop(
                new ReconcileLoop.Parts(
                    jdbi,
                    executing.notifications(),
                    foundation.clock(),
                    poll,
                    foundation.threads()),
                executing.branches().reconcilers())
            .start();
    List<Occupant> occupants = executing.branches().occupants();
    EnvironmentStore.Parts parts =
        new EnvironmentStore.Parts(
            new Transactions(jdbi, () -> executing.notifications().raise(Topic.EVENTS, "")),
            resolving.settings()::config,
            foundation.box(),
            foundation.clock());
    PlannedRuns planned = new PlannedRuns(jdbi, foundation.box(), foundation.ids());
    ExpiryWatch expiry =
        new ExpiryWatch(
                parts,
                occupants,
                new ExpiryWatch.Parts(
                    planned, executing.notifications(), poll, foundation.threads()))
            .start();
    return new Reconciling(
        loop, occupants, new EnvironmentStore(parts, occupants), planned, expiry);
  }
}
