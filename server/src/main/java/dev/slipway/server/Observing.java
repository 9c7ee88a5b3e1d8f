package dev.slipway.server;

import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.overview.Statistics;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.retention.Sweeper;
import dev.slipway.postgres.runs.PinnedCommits;
import dev.slipway.postgres.runs.RecentRuns;
import dev.slipway.postgres.runs.Retention;
import dev.slipway.postgres.runs.RunLineage;
import dev.slipway.server.telemetry.ServerHealth;
import dev.slipway.steps.Workspaces;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events, numbers and health; what is old is forgotten. */
record Observing(
    EventLog events, Statistics statistics, Housekeeping housekeeping, ServerHealth health) {
  private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

  static Observing of(
      Wiring.Given given,
      Foundation foundation,
      Resolving resolving,
      Executing executing,
      Reconciling reconciling) {
    Jdbi jdbi = foundation.database().jdbi();
    LiveRegistry registry = resolving.registry();
    EventLog events = new EventLog(jdbi);
    ProviderEvents providers = new ProviderEvents(events, foundation.clock());
    providers.append(Registry.EMPTY, registry.current());
    registry.onSwap(providers::append);
    resolving.git().onChange(registry::reload);
    Housekeeping housekeeping =
        new Housekeeping(
            events,
            resolving.git(),
            new PinnedCommits(jdbi),
            new Workspaces(foundation.data().path(), new RunLineage(jdbi)::related),
            new RecentRuns(jdbi),
            new Retention(jdbi, executing.branches().keptRuns()),
            new Sweeper(jdbi, Housekeeping.BATCH),
            Sweep.all(executing.branches().sweeps()),
            executing.branches().chores(),
            resolving.settings()::config,
            Housekeeping.EVERY,
            foundation.clock(),
            foundation.threads());
    ServerHealth health =
        new ServerHealth(
            () -> jdbi.useHandle(h -> h.execute("SELECT 1")),
            executing.engine()::running,
            executing.engine().claims()::verdict,
            registry::current,
            foundation.supervision()::death);
    health.with("reconcile", reconciling.loop()::health);
    given.workloads().ifPresent(own -> health.with("workloads", own::health));
    return new Observing(
        events, new Statistics(jdbi, executing.branches().countedRows()), housekeeping, health);
  }

  /** Numbers that are asked for when they are read; those of before stay if that fails. */
  void refresh(Foundation foundation, Executing executing) {
    foundation.metrics().claims(executing.engine().claims().verdict());
    try {
      foundation.metrics().pending(executing.branches().pending());
      foundation.metrics().pendingApprovals(statistics.pendingApprovals());
    } catch (RuntimeException e) {
      LOG.warn("counts for the metrics cannot be read: {}", e.getMessage());
    }
  }
}
