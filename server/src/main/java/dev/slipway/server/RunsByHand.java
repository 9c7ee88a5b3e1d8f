package dev.slipway.server;

import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.UnusableRunException;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.server.api.RunLogs;
import dev.slipway.server.golden.GoldenPaths;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;

/** Runs that callers start, look at and try again. */
record RunsByHand(
    RunList list,
    RunRetries retries,
    GoldenPaths goldenPaths,
    RunLogs logs,
    Function<String, Optional<Workflow>> stored) {

  static RunsByHand of(
      Foundation foundation, Resolving resolving, Executing executing, Reconciling reconciling) {
    Jdbi jdbi = foundation.database().jdbi();
    RunList list = new RunList(jdbi);
    Function<String, Optional<Workflow>> stored = hash -> workflow(executing.definitions(), hash);
    GoldenPaths goldenPaths =
        new GoldenPaths(
            resolving.registry()::current,
            resolving.settings()::rules,
            resolving.settings()::goldenPaths,
            reconciling.environments()::guarded);
    RunRetries retries =
        new RunRetries(
            list,
            executing.runs(),
            new RollbackRetries(jdbi, executing.branches().inCharge()),
            reconciling.planned(),
            executing.branches().retries(),
            reconciling.environments(),
            stored,
            goldenPaths,
            resolving.registry()::current,
            foundation.ids(),
            foundation.clock());
    RunLogs logs =
        new RunLogs(new PostgresStepLogs(jdbi), new FollowedLogs(jdbi), foundation.threads());
    return new RunsByHand(list, retries, goldenPaths, logs, stored);
  }

  /** The workflow that a run executes; empty when this Slipway can no longer read it. */
  private static Optional<Workflow> workflow(Definitions definitions, String hash) {
    try {
      return Optional.of(definitions.of(hash).workflow());
    } catch (UnusableRunException e) {
      return Optional.empty();
    }
  }
}
