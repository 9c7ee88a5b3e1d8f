package dev.slipway.applications.faults;

import dev.slipway.applications.store.ApplicationContext;
import dev.slipway.applications.store.ApplicationReconciler;
import dev.slipway.applications.store.ApplicationStore;
import dev.slipway.applications.store.Applications;
import dev.slipway.engine.execute.ApprovalDesk;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepLogs;
import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.steps.ApprovalExecutor;
import dev.slipway.steps.WaitExecutor;
import dev.slipway.testbed.PostgresProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;

/** One replica with all its stores, which fail as the seed says. */
final class Server implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);
  private static final SecretBox BOX = new SecretBox(new byte[32]);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final int STARTS = 3;

  final SeededFaults faults;
  final RunStore runs;
  final Approvals approvals;
  final Applications applications;
  final RepeatedRequests requests;
  final Jdbi jdbi;
  private final Stage.Way way;
  private final Notifications notifications;
  private final PostgresRuns store;
  private final Dispatcher dispatcher;
  private final ReconcileLoop loop;
  private volatile boolean closed;

  Server(Play play, Stage.Way way, String name, SeededFaults faults) {
    this.faults = faults;
    this.way = way;
    this.jdbi = way.database().jdbi();
    jdbi.setSqlLogger(new Statements(faults));
    this.notifications = new Notifications(way.database());
    this.store = new PostgresRuns(way.database(), notifications, BOX);
    this.runs =
        faults.around(
            RunStore.class, play.history.around(play.flaw.on(store, play.stage.direct.jdbi())));
    way.proxy().watch(faults);
    RunStore.Owner owner = new RunStore.Owner(name, UUID.randomUUID().toString());
    for (int i = 0; i < STARTS; i++) {
      untilDone(() -> runs.release(owner, play.ticks.clock.instant()));
    }
    this.requests = untilDone(() -> new RepeatedRequests(jdbi, name, Threads.OF_MACHINE));
    Executors executors =
        executors(
            play,
            faults.around(ApprovalDesk.class, new PostgresApprovalDesk(jdbi, UUID::randomUUID)));
    this.dispatcher =
        new Dispatcher(
            new EngineContext(
                EngineSettings.of(owner).withLease(LEASE),
                runs,
                new Definitions(runs, new WorkflowParser(executors.types())),
                new Rendering(executors.types()),
                executors,
                BOX,
                faults.around(StepLogs.class, new PostgresStepLogs(jdbi)),
                ProviderRules::none,
                () -> RunStore.Bounds.NONE,
                play.ticks.clock,
                play.ticks.alarms,
                new Random(play.seed),
                RunMetrics.NONE,
                ProviderFiles.LOCAL,
                Threads.OF_MACHINE));
    notifications.subscribe(Topic.RUNS, this::notified);
    ApplicationContext context =
        new ApplicationContext(
            jdbi,
            () -> play.catalog.registry,
            () -> AdminConfig.DEFAULT,
            BOX,
            notifications,
            play.ticks.clock,
            UUID::randomUUID,
            ApplicationContext.Failures.NONE);
    this.approvals = new Approvals(jdbi);
    this.applications = faults.around(Applications.class, new ApplicationStore(context, runs));
    this.loop =
        new ReconcileLoop(
            new ReconcileLoop.Parts(
                jdbi, notifications, play.ticks.clock, LOOK, Threads.OF_MACHINE),
            List.of(new ApplicationReconciler(context, runs)));
    Thread.ofVirtual().name("applications of " + name).start(() -> advance(play.ticks));
  }

  /** As a server that is started again until it comes up. */
  private static <T> T untilDone(Supplier<T> work) {
    while (true) {
      try {
        return work.get();
      } catch (RuntimeException e) {
        // once more
      }
    }
  }

  static Executors executors(Play play, ApprovalDesk desk) {
    return new Executors(
        List.of(
            play.witness.new Hands(),
            new SubWorkflowExecutor(),
            new WaitExecutor(play.ticks.clock),
            new ApprovalExecutor(desk, play.ticks.clock)));
  }

  private void notified(String run) {
    if (run.isEmpty()) {
      dispatcher.signal();
    } else {
      dispatcher.signal(UUID.fromString(run));
    }
  }

  private void advance(Ticks ticks) {
    while (!closed) {
      try {
        loop.advanceDue();
      } catch (RuntimeException e) {
        // the next look finds the same
      }
      try {
        ticks.until(ticks.clock.instant().plus(LOOK));
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    dispatcher.close();
    way.proxy().watch(PostgresProxy.CommitWatch.NONE);
    jdbi.setSqlLogger(SqlLogger.NOP_SQL_LOGGER);
    loop.close();
    store.close();
    notifications.close();
  }
}
