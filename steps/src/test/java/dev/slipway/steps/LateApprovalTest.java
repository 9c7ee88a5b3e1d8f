package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Approval.Decision;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.SettableClock;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine with approval steps that are decided long after the steps' own timeouts. */
class LateApprovalTest {
  private static final Duration LATE = Duration.ofHours(3);

  private final SettableClock clock = new SettableClock();
  private final Alarms alarms = new Alarms(clock);

  /** The number of the desk's next commits whose connection is cut. */
  private final AtomicInteger cuts = new AtomicInteger();

  private Database direct;
  private PostgresProxy proxy;
  private Database through;
  private Notifications notifications;
  private PostgresRuns runs;
  private Executors executors;
  private Dispatcher dispatcher;

  @BeforeEach
  void start() {
    TestDatabase fresh = TestPostgres.freshDatabase();
    direct = Database.open(address(fresh), 6);
    proxy = PostgresProxy.of(fresh);
    through = Database.open(address(proxy.through(fresh)), 2);
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            if (cuts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
              throw new PostgresProxy.Cut();
            }
          }
        });
    notifications = new Notifications(direct);
    runs = new PostgresRuns(direct, notifications, new SecretBox(new byte[32]));
    executors =
        new Executors(
            List.of(
                new WaitExecutor(clock),
                new ApprovalExecutor(
                    new PostgresApprovalDesk(through.jdbi(), UUID::randomUUID), clock)));
    dispatcher = new Dispatcher(engineContext());
    notifications.subscribe(Topic.RUNS, run -> dispatcher.signal());
  }

  private EngineContext engineContext() {
    RunStore.Owner owner = new RunStore.Owner("a", UUID.randomUUID().toString());
    return new EngineContext(
        EngineSettings.of(owner).withLease(Duration.ofDays(1)),
        runs,
        new Definitions(runs, new WorkflowParser(executors.types())),
        new Rendering(executors.types()),
        executors,
        new SecretBox(new byte[32]),
        new PostgresStepLogs(direct.jdbi()),
        ProviderRules::none,
        () -> RunStore.Bounds.NONE,
        clock,
        alarms,
        new Random(7),
        RunMetrics.NONE,
        ProviderFiles.LOCAL,
        Threads.OF_MACHINE);
  }

  @AfterEach
  void stop() {
    dispatcher.close();
    runs.close();
    notifications.close();
    alarms.close();
    through.close();
    proxy.close();
    direct.close();
  }

  private static Database.Address address(TestDatabase some) {
    return new Database.Address(some.jdbcUrl(), some.user(), some.password());
  }

  @Test
  void a_late_yes_counts_also_when_reading_it_takes_more_than_one_try() {
    UUID run = started("{name: ask, type: approval, timeout: 10m}");
    awaitWaitingFor(run, "approval");
    turn(LATE);

    cuts.set(1);
    approve(run);

    awaitWaitingFor(run, "the database");
    turn(Duration.ofSeconds(6));
    awaitState(run, "succeeded");
  }

  @Test
  void what_a_manual_step_remembers_outlives_a_question_that_cannot_be_asked() {
    UUID run = started("{name: rest, type: wait, duration: 1h, when: manual}");
    awaitWaitingFor(run, "approval");
    approve(run);
    awaitWaitingFor(run, "the time " + clock.instant().plus(Duration.ofHours(1)));

    cuts.set(1);
    turn(Duration.ofHours(1));

    awaitWaitingFor(run, "the database");
    turn(Duration.ofSeconds(6));
    awaitState(run, "succeeded");
  }

  @Test
  void a_manual_step_has_all_its_time_after_the_yes() {
    UUID run =
        started(
            "{name: rest, type: wait, condition: 'false', interval: 1m, timeout: 10m,"
                + " when: manual}");
    awaitWaitingFor(run, "approval");
    turn(LATE);
    approve(run);

    awaitWaitingFor(run, "its condition");
    turn(Duration.ofMinutes(9));
    awaitWaitingFor(run, "its condition");
    turn(Duration.ofMinutes(2));
    awaitState(run, "failed");
  }

  @Test
  void a_manual_step_that_has_begun_gets_no_more_time_when_its_gate_cannot_be_asked_again() {
    UUID run =
        started(
            "{name: rest, type: wait, condition: 'false', interval: 1m, timeout: 10m,"
                + " when: manual}");
    awaitWaitingFor(run, "approval");
    approve(run);
    awaitWaitingFor(run, "its condition");

    cuts.set(1);
    turn(Duration.ofMinutes(6));
    awaitWaitingFor(run, "the database");
    turn(Duration.ofSeconds(6));
    awaitWaitingFor(run, "its condition");
    turn(Duration.ofMinutes(4));
    awaitState(run, "failed");
  }

  private UUID started(String step) {
    String source =
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        steps: [%s]
        """
            .formatted(step);
    Diagnostics diagnostics = new Diagnostics();
    Resolution.Definition definition =
        Document.parse("make.yaml", source, Limits.PROVIDER, diagnostics)
            .flatMap(d -> new WorkflowParser(executors.types()).parse(d, diagnostics))
            .map(
                w ->
                    new Resolution.Definition(
                        "acme", "1", null, "h", null, Map.of(), w, source, Map.of()))
            .orElseThrow(() -> new IllegalArgumentException(diagnostics.toString()));
    UUID id = UUID.randomUUID();
    runs.insert(
        List.of(
            new NewRun(
                id,
                NewRun.Kind.PLATFORM,
                definition,
                null,
                NewRun.Subject.NONE,
                new NewRun.Tenancy("default", "team"),
                NewRun.Origin.NONE,
                NewRun.Inputs.NONE,
                new NewRun.Creation("somebody", clock.instant()),
                Duration.ofHours(24))));
    return id;
  }

  private void approve(UUID run) {
    UUID approval = UUID.fromString(text("SELECT id FROM approvals WHERE run_id = ?", run));
    new Approvals(direct.jdbi()).decide(approval, "ann", Decision.APPROVE, "", clock.instant());
  }

  private void turn(Duration by) {
    clock.advance(by);
    alarms.clockMoved();
  }

  private void awaitWaitingFor(UUID run, String what) {
    String sql =
        "SELECT concat(r.state, ' for ', s.waiting_for, s.error) FROM runs r"
            + " JOIN steps s ON s.run_id = r.id WHERE r.id = ? AND r.owner IS NULL"
            + " AND coalesce(r.claimable_at > '%s', true)".formatted(clock.instant());
    await().untilAsserted(() -> assertThat(texts(sql, run)).containsExactly("waiting for " + what));
  }

  private void awaitState(UUID run, String state) {
    await()
        .untilAsserted(
            () -> assertThat(text("SELECT state FROM runs WHERE id = ?", run)).isEqualTo(state));
  }

  private String text(String sql, UUID run) {
    return texts(sql, run).getFirst();
  }

  private List<String> texts(String sql, UUID run) {
    return direct
        .jdbi()
        .withHandle(h -> h.createQuery(sql).bind(0, run).mapTo(String.class).list());
  }
}
