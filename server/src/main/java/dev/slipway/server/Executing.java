package dev.slipway.server;

import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.leases.Leases;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.server.recorded.Recording;
import dev.slipway.web.branch.OpenBranches;
import dev.slipway.web.branch.Trunk;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs and what carries them out; the branches, which bring steps of their own. */
record Executing(
    Notifications notifications,
    PostgresRuns runs,
    Definitions definitions,
    AuditLog audit,
    Leases leases,
    OpenBranches branches,
    Clusters clusters,
    ClusterChanges changes,
    Engine engine) {

  static Executing of(Wiring.Given given, Foundation foundation, Resolving resolving) {
    Database database = foundation.database();
    Notifications notifications = new Notifications(database, foundation.threads());
    PostgresRuns runs =
        new PostgresRuns(database, notifications, foundation.box(), foundation.threads());
    Definitions definitions = new Definitions(runs, resolving.parser());
    foundation.metrics().definitions(hash -> definitions.of(hash).snapshot());
    AuditLog audit = new AuditLog(database.jdbi());
    Leases leases = leases(foundation);
    OpenBranches branches =
        given
            .branches()
            .open(
                observer ->
                    new Trunk(
                        database.jdbi(),
                        runs,
                        notifications,
                        audit,
                        leases,
                        foundation.box(),
                        resolving.registry()::current,
                        resolving.settings()::config,
                        resolving.stepTypes(),
                        foundation.clock(),
                        foundation.ids(),
                        foundation.threads(),
                        foundation.metrics()::failedBeforeRun,
                        observer));
    resolving.registry().onSwap((before, now) -> branches.providersChanged());
    Clusters clusters =
        new Clusters(() -> clusters(given, resolving.settings().config()), foundation.clock());
    WarmCaches warm =
        new WarmCaches(
            WarmCaches.means(
                resolving.settings()::healthRules, foundation.clock(), foundation.threads()));
    ClusterChanges changes =
        new ClusterChanges(
                new ClusterChanges.Parts(
                    clusters,
                    warm,
                    leases,
                    database.jdbi(),
                    branches::changed,
                    foundation.clock(),
                    foundation.threads()))
            .start();
    foundation.metrics().watches(warm::watches);
    Engine engine =
        new Engine(
            new Engine.Surroundings(
                database,
                given.workloads(),
                runs,
                definitions,
                notifications,
                resolving.registry(),
                resolving.settings(),
                foundation.box(),
                foundation.data().path(),
                given.options().recorded().map(Recording::new),
                foundation.data().replica(),
                foundation.clock(),
                foundation.ids(),
                foundation.random(),
                foundation.metrics(),
                resolving.git(),
                branches.executors(),
                clusters,
                warm,
                foundation.threads()));
    foundation.clock().onReturn(engine::clockReturned);
    return new Executing(
        notifications, runs, definitions, audit, leases, branches, clusters, changes, engine);
  }

  /** The configured clusters, and the embedded one unless its name is taken. */
  private static Map<String, ClusterSettings> clusters(Wiring.Given given, AdminConfig config) {
    Map<String, ClusterSettings> all = new LinkedHashMap<>();
    given.cluster().ifPresent(own -> all.put(EmbeddedCluster.NAME, own.settings()));
    all.putAll(config.clusters());
    return all;
  }

  private static Leases leases(Foundation foundation) {
    String owner = foundation.data().replica() + " " + foundation.ids().get();
    return new Leases(
            new Leases.Parts(
                foundation.database(), foundation.clock(), owner, foundation.threads()),
            Leases.Terms.DEFAULT)
        .start();
  }
}
