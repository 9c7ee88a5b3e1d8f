package dev.slipway.server;

import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.UnusableRunException;
import dev.slipway.engine.graph.GraphText;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderWatch;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.WorkflowReader;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.git.GitLimits;
import dev.slipway.git.GitSources;
import dev.slipway.git.TreeLimits;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.Resealing;
import dev.slipway.postgres.SealingKey;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.LoginLimits;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.access.Teams;
import dev.slipway.postgres.applications.ApplicationReconciler;
import dev.slipway.postgres.applications.ApplicationStore;
import dev.slipway.postgres.applications.DeploymentStore;
import dev.slipway.postgres.applications.EnvironmentStore;
import dev.slipway.postgres.applications.ExpiryWatch;
import dev.slipway.postgres.applications.GraphStore;
import dev.slipway.postgres.applications.Ground;
import dev.slipway.postgres.applications.ResourceCounts;
import dev.slipway.postgres.applications.ResourceStore;
import dev.slipway.postgres.applications.Simulations;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.modules.ModuleHistory;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.Statistics;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.retention.AuditHolds;
import dev.slipway.postgres.retention.Sweeper;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.postgres.runs.PinnedCommits;
import dev.slipway.postgres.runs.PlannedRuns;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.RecentRuns;
import dev.slipway.postgres.runs.Retention;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.postgres.runs.RunLineage;
import dev.slipway.postgres.runs.RunQueue;
import dev.slipway.server.access.Authentication;
import dev.slipway.server.access.Passwords;
import dev.slipway.server.access.Tokens;
import dev.slipway.server.api.AdminApi;
import dev.slipway.server.api.ApiKeyApi;
import dev.slipway.server.api.ApplicationApi;
import dev.slipway.server.api.ApprovalApi;
import dev.slipway.server.api.AuditApi;
import dev.slipway.server.api.AuditHoldApi;
import dev.slipway.server.api.EnvironmentApi;
import dev.slipway.server.api.EventApi;
import dev.slipway.server.api.GoldenPathApi;
import dev.slipway.server.api.GraphApi;
import dev.slipway.server.api.KeyApi;
import dev.slipway.server.api.PlanApi;
import dev.slipway.server.api.ProviderApi;
import dev.slipway.server.api.ResourceApi;
import dev.slipway.server.api.RunApi;
import dev.slipway.server.api.RunLogs;
import dev.slipway.server.api.SchemaApi;
import dev.slipway.server.api.SignInApi;
import dev.slipway.server.api.StateApi;
import dev.slipway.server.api.SystemApi;
import dev.slipway.server.api.TeamApi;
import dev.slipway.server.api.UserApi;
import dev.slipway.server.golden.GoldenPathRun;
import dev.slipway.server.golden.GoldenPaths;
import dev.slipway.server.http.ClientAddress;
import dev.slipway.server.http.Gate;
import dev.slipway.server.http.HttpServer;
import dev.slipway.server.http.OpenApi;
import dev.slipway.server.http.PublicAddress;
import dev.slipway.server.http.Route;
import dev.slipway.server.recorded.Recording;
import dev.slipway.server.telemetry.Health;
import dev.slipway.server.telemetry.Metrics;
import dev.slipway.steps.SchemaCatalog;
import dev.slipway.steps.StepCatalog;
import dev.slipway.steps.Workspaces;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a running server, put together by constructor calls, in the order of the flow. */
final class Wiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
  private static final Duration PROVIDERS_COMPARED = Duration.ofSeconds(30);

  final List<Route> routes;
  final HttpServer http;
  private final Notifications notifications;
  private final EventApi events;
  private final GitSources git;
  private final ProviderWatch watch;
  private final PostgresRuns runs;
  private final DatabaseClock clock;
  private final RunLogs logs;
  private final ReconcileLoop loop;
  private final ExpiryWatch expiry;
  private final Engine engine;
  private final Housekeeping housekeeping;
  private final KeyWatch keyWatch;

  Wiring(
      Options options,
      Database database,
      Optional<Workloads> workloads,
      DataDirectory data,
      Configuration.Read read,
      Supervision supervision) {
    Threads threads = Threads.supervised(supervision);
    this.clock = new DatabaseClock(database, threads);
    SecureRandom random = new SecureRandom();
    Ids ids = new Ids(clock, random);
    SealingKey sealingKey = new SealingKey(database);
    SecretBox box = KeyCheck.box(data, sealingKey);
    this.keyWatch =
        new KeyWatch(data, box, sealingKey, new Resealing(database.jdbi(), box), threads);
    Metrics metrics = new Metrics(Version.TEXT, System.getProperty("java.version"));

    // resolve
    WorkflowParser parser = new WorkflowParser(StepCatalog.types());
    WorkflowReader workflows = parser::parse;
    Settings settings =
        new Settings(new Configuration(options.config()), read, options.bundled(), workflows);
    ProgramCheck programs = ProgramCheck.onServer(ProgramPath.ofThisProcess());
    LiveRegistry registry =
        new LiveRegistry(
            new ProviderLoader(workflows, programs),
            settings.sources(),
            provider -> settings.rules().refusals(provider));
    this.git =
        new GitSources(data.resolve("git"), GitLimits.USUAL, TreeLimits.USUAL, clock, threads);
    registry.fetching(git).onSwap((before, now) -> git.keepOnly(registry.sources()));
    registry.onSwap((before, now) -> metrics.loaded(now));
    registry.reload();
    this.watch = watch(registry, threads);

    // execute

    this.notifications = new Notifications(database, threads);
    this.runs = new PostgresRuns(database, notifications, box, threads);
    Definitions definitions = new Definitions(runs, parser);
    metrics.definitions(hash -> definitions.of(hash).snapshot());

    this.engine =
        new Engine(
            new Engine.Surroundings(
                database,
                workloads,
                runs,
                definitions,
                notifications,
                registry,
                settings,
                box,
                data.path(),
                options.recorded().map(Recording::new),
                data.replica(),
                clock,
                ids,
                random,
                metrics,
                git,
                threads));

    clock.onReturn(engine::clockReturned);

    // plan and progress
    Ground ground =
        new Ground(
            database.jdbi(),
            registry::current,
            settings::config,
            box,
            notifications,
            clock,
            ids,
            (provider, type, code) ->
                metrics.failedBeforeRun(provider == null ? "none" : provider, type, code));
    AuditLog audit = new AuditLog(database.jdbi());
    ApplicationStore applications = new ApplicationStore(ground, runs);
    DeploymentStore deployments = new DeploymentStore(ground);
    ResourceStore resources = new ResourceStore(ground, runs, audit);
    Simulations simulations = new Simulations(ground, runs, new Rendering(StepCatalog.types()));
    EnvironmentStore environments = new EnvironmentStore(ground);
    Duration poll = settings.config().engine().pollInterval();
    ApplicationReconciler reconciler = new ApplicationReconciler(ground, runs);
    this.loop =
        new ReconcileLoop(
                new ReconcileLoop.Parts(database.jdbi(), notifications, clock, poll, threads),
                List.of(reconciler))
            .start();
    this.expiry = new ExpiryWatch(ground, runs, poll, threads).start();
    registry.onSwap((before, now) -> reconciler.wakeAll());

    // observe
    GraphStore graphs = new GraphStore(ground);
    Statistics statistics = new Statistics(database.jdbi());
    EventLog eventLog = new EventLog(database.jdbi());
    ProviderNews news = new ProviderNews(eventLog, clock);
    news.tell(Registry.EMPTY, registry.current());
    registry.onSwap(news::tell);
    git.onChange(registry::reload);
    this.housekeeping =
        new Housekeeping(
            eventLog,
            git,
            new PinnedCommits(database.jdbi()),
            new Workspaces(data.path(), new RunLineage(database.jdbi())::related),
            new RecentRuns(database.jdbi()),
            new Retention(database.jdbi()),
            new Sweeper(database.jdbi(), Housekeeping.BATCH),
            new ResourceCounts(database.jdbi()),
            settings::config,
            Housekeeping.EVERY,
            clock,
            threads);
    Health health =
        new Health(
            () -> database.jdbi().useHandle(h -> h.execute("SELECT 1")),
            engine::running,
            engine.claims()::verdict,
            registry::current,
            supervision::death);
    health.with("reconcile", loop::health);
    workloads.ifPresent(own -> health.with("workloads", own::health));

    // access
    Accounts accounts = new Accounts(database.jdbi());
    Teams teams = new Teams(database.jdbi());
    Credentials credentials = new Credentials(database.jdbi());
    Passwords passwords = new Passwords(random);
    Tokens tokens = new Tokens(random);
    new AdminAccount(accounts, teams, credentials, ids)
        .ensure(data.adminToken(tokens), data.replica(), clock.instant());

    // runs by hand
    RunList runList = new RunList(database.jdbi());
    Function<String, Optional<Workflow>> stored = hash -> workflow(definitions, hash);
    GoldenPaths goldenPaths =
        new GoldenPaths(
            registry::current, settings::rules, settings::goldenPaths, environments::guarded);
    PlannedRuns planned = new PlannedRuns(database.jdbi(), box, ids);
    RunRetries retries =
        new RunRetries(
            runList,
            runs,
            new RollbackRetries(database.jdbi()),
            planned,
            resources,
            environments,
            stored,
            goldenPaths,
            registry::current,
            ids,
            clock);
    this.logs =
        new RunLogs(
            new PostgresStepLogs(database.jdbi()), new FollowedLogs(database.jdbi()), threads);

    // HTTP
    this.events = new EventApi(eventLog, notifications);
    metrics.streams(() -> Map.of("events", events.open(), "logs", logs.open()));
    PublicAddress address = new PublicAddress(() -> settings.config().server().publicUrl());
    List<Route> all = new ArrayList<>();
    all.addAll(
        new SystemApi(
                health,
                metrics,
                () -> refresh(metrics, statistics),
                () -> OpenApi.document(all, Version.TEXT))
            .routes());
    all.addAll(new SchemaApi(SchemaCatalog.all()).routes());
    all.addAll(
        new SignInApi(
                new SignInApi.Stores(accounts, credentials, new LoginLimits(database.jdbi())),
                passwords,
                tokens,
                ids,
                address,
                clock)
            .routes());
    all.addAll(new ApiKeyApi(accounts, credentials, tokens, ids, clock).routes());
    all.addAll(new UserApi(accounts, passwords, clock).routes());
    all.addAll(new TeamApi(teams, clock).routes());
    all.addAll(new AuditApi(audit).routes());
    all.addAll(new KeyApi(box::keys, sealingKey, keyWatch).routes());
    all.addAll(new AuditHoldApi(new AuditHolds(database.jdbi()), ids, clock).routes());
    all.addAll(new ApplicationApi(applications, deployments).routes());
    all.addAll(new PlanApi(applications, deployments, simulations).routes());
    all.addAll(new EnvironmentApi(environments).routes());
    all.addAll(new ResourceApi(resources).routes());
    all.addAll(new StateApi(resources, new ModuleHistory(database.jdbi())).routes());
    all.addAll(new GraphApi(graphs, GraphText::write).routes());
    all.addAll(new RunApi(runList, runs, retries, logs, stored, clock).routes());
    all.addAll(
        new ApprovalApi(
                new Approvals(database.jdbi()),
                planned,
                () -> settings.config().workflowPolicies().selfApproval(),
                clock)
            .routes());
    all.addAll(
        new ProviderApi(registry::current, registry::reload, registry::sources, git).routes());
    all.addAll(
        new AdminApi(
                settings::config, () -> settings.reload(registry), statistics, registry::current)
            .routes());
    all.addAll(
        new GoldenPathApi(
                goldenPaths,
                environments,
                () -> new GoldenPathRun(box, settings.config()),
                runs,
                planned,
                ids,
                clock)
            .routes());
    all.addAll(events.routes());
    this.routes = List.copyOf(all);
    this.http =
        new HttpServer(
            routes,
            new HttpServer.Parts(
                new Authentication(credentials, clock),
                gate(settings, new RunQueue(database.jdbi())),
                new RepeatedRequests(database.jdbi(), data.replica(), threads),
                box,
                audit,
                address,
                new ClientAddress(() -> settings.config().server().trustedProxies()),
                clock,
                metrics,
                threads));
    metrics.connections(http::connections);
  }

  /** Whether runs can be claimed; known after the first attempt. */
  ClaimHealth claims() {
    return engine.claims();
  }

  private static Gate gate(Settings settings, RunQueue queue) {
    return new Gate(
        () -> settings.config().engine().maxWrites(),
        SlipwayServer.CONNECTIONS_OF_WRITERS,
        () -> queue.length(settings.config().engine().maxQueuedRuns()),
        () -> settings.config().engine().maxQueuedRuns());
  }

  /** The workflow that a run executes; empty when this Slipway can no longer read it. */
  private static Optional<Workflow> workflow(Definitions definitions, String hash) {
    try {
      return Optional.of(definitions.of(hash).workflow());
    } catch (UnusableRunException e) {
      return Optional.empty();
    }
  }

  private static ProviderWatch watch(LiveRegistry registry, Threads threads) {
    try {
      return ProviderWatch.start(registry, PROVIDERS_COMPARED, threads);
    } catch (IOException e) {
      throw StartFailure.surroundings("cannot watch files for changes: " + e.getMessage(), e);
    }
  }

  /** Numbers that are asked for when somebody reads them; those of before stay if that fails. */
  private void refresh(Metrics metrics, Statistics statistics) {
    metrics.claims(engine.claims().verdict());
    try {
      metrics.pending(statistics.pendingResources());
      metrics.pendingApprovals(statistics.pendingApprovals());
    } catch (RuntimeException e) {
      LOG.warn("counts for the metrics cannot be read: {}", e.getMessage());
    }
  }

  /**
   * Stops in the opposite order: no new requests, then no more work, then no more state. What one
   * part fails at must not keep the engine from giving its runs back.
   */
  @Override
  public void close() {
    List<AutoCloseable> parts =
        List.of(
            events,
            logs,
            http,
            keyWatch,
            housekeeping,
            watch,
            git,
            expiry,
            loop,
            engine,
            runs,
            notifications,
            clock);
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Throwable t) {
        LOG.warn("while stopping {}: {}", part.getClass().getSimpleName(), t.toString());
      }
    }
  }
}
