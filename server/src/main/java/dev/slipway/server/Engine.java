package dev.slipway.server;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.WorkflowRules;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.modules.PostgresModuleStates;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.RunLineage;
import dev.slipway.server.recorded.Recording;
import dev.slipway.steps.AnsibleExecutor;
import dev.slipway.steps.ApprovalExecutor;
import dev.slipway.steps.GitExecutor;
import dev.slipway.steps.GiteaRepoExecutor;
import dev.slipway.steps.HostRules;
import dev.slipway.steps.HttpExecutor;
import dev.slipway.steps.NoopExecutor;
import dev.slipway.steps.ShellExecutor;
import dev.slipway.steps.WaitExecutor;
import dev.slipway.steps.Workspaces;
import dev.slipway.steps.kubernetes.KubernetesExecutor;
import dev.slipway.steps.process.ScriptDirectory;
import dev.slipway.steps.process.StepUser;
import dev.slipway.steps.sql.SqlConnections;
import dev.slipway.steps.sql.SqlExecutor;
import dev.slipway.steps.sql.StateDatabase;
import dev.slipway.steps.terraform.TerraformExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes runs: the step executors, and the dispatcher that claims runs for them. */
final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final Alarms alarms;
  private final Dispatcher dispatcher;
  private final PostgresRuns runs;
  private final InstantSource clock;
  private final Duration lease;
  private volatile boolean running = true;

  /**
   * Collaborators of the engine.
   *
   * @param more executors of branches
   */
  record Surroundings(
      Database database,
      Optional<Workloads> workloads,
      PostgresRuns runs,
      Definitions definitions,
      Notifications notifications,
      LiveRegistry registry,
      Settings settings,
      SecretBox box,
      Path work,
      Optional<Recording> recording,
      String replica,
      InstantSource clock,
      Supplier<UUID> ids,
      RandomGenerator random,
      RunMetrics metrics,
      ProviderFiles files,
      List<StepExecutor> more,
      Clusters clusters,
      WarmCaches warm,
      Threads threads) {
    /** The configuration in force at the time of each call. */
    Supplier<AdminConfig> config() {
      return settings::config;
    }
  }

  Engine(Surroundings around) {
    RunStore.Owner owner = new RunStore.Owner(around.replica(), around.ids().get().toString());
    around.runs().release(owner, around.clock().instant());
    ScriptDirectory.removeAll(around.work());
    this.runs = around.runs();
    this.clock = around.clock();
    this.lease = around.settings().config().engine().lease();
    tellStepUser(around.settings().config().engine().limits().user());
    Executors executors = executors(around, stateDatabase(around.database()));
    this.alarms = new Alarms(around.clock(), around.threads());
    this.dispatcher =
        new Dispatcher(
            new EngineContext(
                settings(owner, around.settings().config().engine()),
                around.runs(),
                around.definitions(),
                new Rendering(executors.types()),
                executors,
                around.box(),
                new PostgresStepLogs(around.database().jdbi()),
                provider -> rules(around, provider),
                around.settings()::bounds,
                around.clock(),
                alarms,
                around.random(),
                around.metrics(),
                around.files(),
                around.threads()));
    around.notifications().subscribe(Topic.RUNS, this::signal);
    around.runs().claimEarly(dispatcher.earlyClaims());
  }

  /**
   * The clock went back: moves timers that were set by the wrong time, so that they do not wait for
   * it.
   */
  void clockReturned(DatabaseClock.Return leap) {
    runs.clockReturned(leap, clock.instant(), lease);
    alarms.clockWentBack();
  }

  private void signal(String run) {
    if (run.isEmpty()) {
      dispatcher.signal();
    } else {
      dispatcher.signal(UUID.fromString(run));
    }
  }

  /** Whether this replica can claim runs. */
  ClaimHealth claims() {
    return dispatcher.claims();
  }

  boolean running() {
    return running;
  }

  private static EngineSettings settings(
      RunStore.Owner owner, AdminConfig.EngineConfig configured) {
    EngineSettings usual = EngineSettings.of(owner);
    return new EngineSettings(
        owner,
        usual.runs(),
        configured.batchSize(),
        configured.lease(),
        configured.pollInterval(),
        new EngineSettings.StepLimit(configured.workers(), Math.max(1, configured.workers() / 2)),
        usual.calls());
  }

  /** Logs at the start what steps would fail with while the configured user cannot be used. */
  private static void tellStepUser(String configured) {
    try {
      LOG.info("programs of steps run as {}", StepUser.describe(configured));
    } catch (IllegalArgumentException e) {
      LOG.error("no step can run programs: {}", e.getMessage());
    }
  }

  /** How connections of sql steps recognise the state database, which they must not reach. */
  private static StateDatabase stateDatabase(Database database) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(StateDatabase.IDENTITY)
                    .map((row, _) -> new StateDatabase(row.getString(1), row.getString(2)))
                    .one());
  }

  private static Executors executors(Surroundings around, StateDatabase state) {
    InstantSource clock = around.clock();
    TerraformExecutor.Setup modules = modules(around);
    List<StepExecutor> executors =
        new ArrayList<>(
            List.of(
                new ShellExecutor(
                    around.work(),
                    ProgramPath.ofThisProcess(),
                    () -> around.config().get().engine().limits(),
                    clock),
                TerraformExecutor.terraform(modules),
                TerraformExecutor.openTofu(modules),
                new HttpExecutor(clock, new HostRules()),
                new SqlExecutor(() -> connections(around, state), clock),
                new AnsibleExecutor(
                    around.work(),
                    ProgramPath.ofThisProcess(),
                    () -> around.config().get().engine().limits(),
                    clock),
                new GitExecutor(
                    workspaces(around), () -> integration(around, "gitea"), new HostRules(), clock),
                new GiteaRepoExecutor(() -> integration(around, "gitea"), new HostRules(), clock),
                new KubernetesExecutor(
                    around.clusters(), around.warm(), around.settings()::healthRules, clock),
                new WaitExecutor(clock),
                new ApprovalExecutor(
                    new PostgresApprovalDesk(around.database().jdbi(), around.ids()), clock),
                new NoopExecutor(),
                new SubWorkflowExecutor()));
    executors.addAll(around.more());
    return new Executors(around.recording().map(r -> r.around(executors)).orElse(executors));
  }

  private static Workspaces workspaces(Surroundings around) {
    return new Workspaces(around.work(), new RunLineage(around.database().jdbi())::related);
  }

  /** The current configuration of the integration of that name; empty when there is none. */
  private static Map<String, Object> integration(Surroundings around, String name) {
    return around.config().get().integrations().getOrDefault(name, Map.of());
  }

  private static TerraformExecutor.Setup modules(Surroundings around) {
    return new TerraformExecutor.Setup(
        around.work(),
        ProgramPath.ofThisProcess(),
        () -> around.config().get().engine().limits(),
        new PostgresModuleStates(around.database().jdbi(), around.box(), around.ids()),
        around.clock());
  }

  /** The databases configured now, and the embedded one for workloads unless its name is taken. */
  private static SqlConnections connections(Surroundings around, StateDatabase state) {
    Map<String, SqlConnections.Lookup> targets = new LinkedHashMap<>();
    around.workloads().ifPresent(own -> targets.put(AdminConfig.WORKLOADS, own));
    around
        .settings()
        .config()
        .connections()
        .forEach(
            (name, c) ->
                targets.put(name, new SqlConnections.Target(c.url(), c.username(), c.password())));
    return new SqlConnections(targets, Optional.of(state));
  }

  private static ProviderRules rules(Surroundings around, String provider) {
    WorkflowRules rules = around.settings().rules();
    return provider.equals(GoldenPathFile.PROVIDER)
        ? new ProviderRules(
            provider, rules, ProviderSource.directory(around.work(), ProviderSource.BUNDLED))
        : ProviderRules.of(provider, rules, around.registry().current());
  }

  /**
   * Stops: running steps are interrupted and their runs released, so that a replica claims them
   * again.
   */
  @Override
  public void close() {
    running = false;
    dispatcher.close();
    alarms.close();
  }
}
