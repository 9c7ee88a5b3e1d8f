package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.LifecycleGuard;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.StoredEvent;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** The engine on a real PostgreSQL with a clock turned by hand and a probe for an executor. */
final class Bench implements AutoCloseable {
  /** Longer than the usual one: here time goes in leaps. */
  static final Duration LEASE = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Database database;
  final SettableClock clock = new SettableClock();
  final Alarms alarms = new Alarms(clock);
  final Probe probe = new Probe();
  final Executors executors;
  final SecretBox box = new SecretBox(new byte[32]);
  final EventLog events;
  final Counts counts = new Counts();
  final SeenThreads threads = new SeenThreads();
  private final List<Replica> replicas = new ArrayList<>();

  /** One replica: everything that would be in one process. */
  final class Replica implements AutoCloseable {
    final RunStore.Owner owner;
    final Notifications notifications;
    final PostgresRuns runs;
    final Dispatcher dispatcher;
    private final PowerSwitch power = new PowerSwitch();

    Replica(String name, UnaryOperator<EngineSettings> settings) {
      this.owner = new RunStore.Owner(name, UUID.randomUUID().toString());
      this.notifications = new Notifications(database);
      this.runs = new PostgresRuns(database, notifications, box);
      this.dispatcher =
          new Dispatcher(
              engineContext(
                  power.before(runs), settings.apply(EngineSettings.of(owner).withLease(LEASE))));
      notifications.subscribe(
          Topic.RUNS,
          run -> {
            if (run.isEmpty()) {
              dispatcher.signal();
            } else {
              dispatcher.signal(UUID.fromString(run));
            }
          });
    }

    @Override
    public void close() {
      dispatcher.close();
      runs.close();
      notifications.close();
    }
  }

  /** What the engine counted. */
  static final class Counts implements RunMetrics {
    final AtomicInteger lost = new AtomicInteger();
    final AtomicInteger fenced = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();

    @Override
    public void runEnded(ClaimedRun run, RunState state, Duration took, @Nullable StepError error) {
      ended.incrementAndGet();
    }

    @Override
    public void stepEnded(String type, StepState state, Duration took) {}

    @Override
    public void started(Duration latency) {}

    @Override
    public void leasesLost(int count) {
      lost.addAndGet(count);
    }

    @Override
    public void fencedWrite() {
      fenced.incrementAndGet();
    }
  }

  Bench() {
    this.database = MigratedDatabase.open();
    LifecycleGuard.install(database.jdbi());
    this.executors =
        new Executors(
            List.of(
                probe,
                new SubWorkflowExecutor(),
                new Asking(new PostgresApprovalDesk(database.jdbi(), UUID::randomUUID), clock)));
    this.events = new EventLog(database.jdbi());
  }

  Replica replica(String name) {
    return replica(name, settings -> settings);
  }

  Replica replica(String name, UnaryOperator<EngineSettings> settings) {
    Replica replica = new Replica(name, settings);
    replicas.add(replica);
    return replica;
  }

  EngineContext engineContext(RunStore store, EngineSettings settings) {
    return engineContext(store, settings, clock, alarms, ProviderFiles.LOCAL);
  }

  /** With another idea of the time, or of where files are. */
  EngineContext engineContext(
      RunStore store,
      EngineSettings settings,
      InstantSource time,
      Alarms timers,
      ProviderFiles files) {
    return new EngineContext(
        settings,
        store,
        new Definitions(store, new WorkflowParser(executors.types())),
        new Rendering(executors.types()),
        executors,
        box,
        new PostgresStepLogs(database.jdbi()),
        ProviderRules::none,
        () -> RunStore.Bounds.NONE,
        time,
        timers,
        new Random(7),
        counts,
        files,
        threads);
  }

  /** A run of this workflow, made by that replica. */
  UUID start(Replica replica, String workflow) {
    NewRun run = run(workflow);
    replica.runs.insert(List.of(run));
    return run.id();
  }

  NewRun run(String workflow) {
    return run(workflow, Duration.ofMinutes(30));
  }

  NewRun run(String workflow, Duration limit) {
    return new NewRun(
        UUID.randomUUID(),
        NewRun.Kind.PLATFORM,
        definition(workflow),
        null,
        NewRun.Subject.NONE,
        new NewRun.Tenancy("default", "team"),
        NewRun.Origin.NONE,
        NewRun.Inputs.NONE,
        new NewRun.Creation("somebody", clock.instant()),
        limit);
  }

  Resolution.Definition definition(String steps) {
    return whole(
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        steps:
        """
            + steps.indent(2));
  }

  private Resolution.Definition whole(String source) {
    return new Resolution.Definition(
        "acme", "1.0.0", null, "hash", null, Map.of(), parse(source), source, Map.of());
  }

  /** A run of that workflow, which calls others; each by its name and all that is below it. */
  NewRun calling(String workflow, Map<String, String> called) {
    Map<String, Resolution.Component> library = new LinkedHashMap<>();
    called.forEach(
        (name, body) ->
            library.put(
                "acme/" + name,
                DefinitionSnapshot.of(
                        whole(
                            "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\n"
                                + "metadata: {name: "
                                + name
                                + "}\n"
                                + body))
                    .component()));
    NewRun plain = run(workflow);
    return new NewRun(
        plain.id(),
        plain.kind(),
        plain.definition().calling(library),
        plain.operation(),
        plain.subject(),
        plain.tenancy(),
        plain.origin(),
        plain.inputs(),
        plain.creation(),
        plain.timeLimit());
  }

  /** The same run for that subject. */
  NewRun about(NewRun run, NewRun.Subject subject) {
    return new NewRun(
        run.id(),
        run.kind(),
        run.definition(),
        run.operation(),
        subject,
        run.tenancy(),
        run.origin(),
        run.inputs(),
        run.creation(),
        run.timeLimit());
  }

  /** The ids of child and rollback runs, oldest first. */
  List<UUID> madeBy(UUID run) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT id FROM runs WHERE parent_run_id = ? ORDER BY created_at, id")
                    .bind(0, run)
                    .mapTo(UUID.class)
                    .list());
  }

  private Workflow parse(String source) {
    Diagnostics diagnostics = new Diagnostics();
    Document document =
        Document.parse("workflow.yaml", source, Limits.PROVIDER, diagnostics).orElseThrow();
    return new WorkflowParser(executors.types())
        .parse(document, diagnostics)
        .orElseThrow(() -> new IllegalArgumentException(diagnostics.toString()));
  }

  void turn(Duration by) {
    clock.advance(by);
    alarms.clockMoved();
  }

  /** Turns the clock by a second until that holds, so that a replica looks for lost runs. */
  void turnUntil(BooleanSupplier holds) {
    await()
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              turn(Duration.ofSeconds(1));
              return holds.getAsBoolean();
            });
  }

  /** Lets time pass as slowly as it does, so that the run's lease is always prolonged. */
  void pass(UUID run, Duration time) {
    Duration beat = LEASE.dividedBy(5);
    boolean skipped = false;
    for (Duration left = time; left.isPositive(); left = left.minus(beat)) {
      String before = written(run);
      turn(left.compareTo(beat) < 0 ? left : beat);
      if (left.compareTo(beat) >= 0) {
        skipped = !beaten(run, before, skipped ? PATIENCE : Duration.ofSeconds(2));
      }
    }
  }

  /** A heartbeat may find the lease long enough once, but not twice in a row. */
  private boolean beaten(UUID run, String before, Duration atMost) {
    try {
      await()
          .atMost(atMost)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> !written(run).equals(before) && leaseIsFresh(run));
      return true;
    } catch (ConditionTimeoutException e) {
      if (atMost.equals(PATIENCE)) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Which transaction wrote the row last; the same for good once no replica holds the run. A
   * heartbeat keeps a lease that ends later, so the end of the lease alone does not tell it.
   */
  private String written(UUID run) {
    String sql =
        "SELECT CASE WHEN owner IS NULL THEN 'free ' || clock_timestamp() ELSE xmin::text END"
            + " FROM runs WHERE id = ?";
    return text(sql, run);
  }

  private boolean leaseIsFresh(UUID run) {
    String sql = "SELECT owner IS NULL OR claimable_at > '%s' FROM runs WHERE id = ?";
    return text(sql.formatted(clock.instant().plus(LEASE).minusSeconds(1)), run).equals("t");
  }

  String state(UUID run) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT state FROM runs WHERE id = ?")
                    .bind(0, run)
                    .mapTo(String.class)
                    .one());
  }

  Map<String, String> steps(UUID run) {
    Map<String, String> states = new TreeMap<>();
    database
        .jdbi()
        .useHandle(
            h ->
                h.createQuery("SELECT name, state FROM steps WHERE run_id = ?")
                    .bind(0, run)
                    .map((rs, _) -> states.put(rs.getString(1), rs.getString(2)))
                    .list());
    return states;
  }

  void awaitState(UUID run, String state) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(() -> assertThat(state(run)).isEqualTo(state));
  }

  /** The same while time goes on in leaps, which what was given back waits for. */
  void awaitState(UUID run, String state, Duration leap) {
    await()
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              turn(leap);
              assertThat(state(run)).isEqualTo(state);
            });
  }

  List<String> eventTypes() {
    return events.after(0, EventLog.Filter.ALL, 10_000).stream()
        .map(StoredEvent::event)
        .map(e -> e.type() + (e.data().containsKey("step") ? " " + e.data().get("step") : ""))
        .toList();
  }

  NewRun copy(NewRun run) {
    return new NewRun(
        UUID.randomUUID(),
        run.kind(),
        run.definition(),
        run.operation(),
        run.subject(),
        run.tenancy(),
        run.origin(),
        run.inputs(),
        run.creation(),
        run.timeLimit());
  }

  /**
   * As if its machine had lost its power: it writes nothing more, and the test does not wait for
   * it.
   */
  void forget(Replica replica) {
    replicas.remove(replica);
    replica.power.off();
    replica.runs.close();
    replica.notifications.close();
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET epoch = epoch + 1 WHERE owner = ?", replica.owner.text()));
    Thread.startVirtualThread(replica.dispatcher::close);
  }

  /** As if the machine stood still for longer than the lease: another replica may claim the run. */
  void freezeHeartbeat(Replica replica, UUID run) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET owner = 'frozen/' || owner, claimable_at = ? WHERE id = ?",
                    clock.instant(),
                    run));
  }

  /**
   * As if no heartbeat had come through for longer than the lease: any replica may claim the run.
   */
  void loseHeartbeats(UUID run) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET owner = NULL, claimable_at = ? WHERE id = ?",
                    clock.instant(),
                    run));
  }

  /** What a decision of people does to a run. */
  void signal(UUID run) {
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "UPDATE runs SET signals = signals + 1,"
                      + " claimable_at = CASE WHEN owner IS NULL THEN ? ELSE claimable_at END"
                      + " WHERE id = ?",
                  clock.instant(),
                  run);
              h.execute("SELECT pg_notify('slipway', ?)", "runs:" + run);
            });
  }

  int count(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Integer.class).one());
  }

  /** The one text that the query finds for that run. */
  String text(String sql, UUID run) {
    return database
        .jdbi()
        .withHandle(h -> h.createQuery(sql).bind(0, run).mapTo(String.class).one());
  }

  @Override
  public void close() {
    replicas.forEach(Replica::close);
    alarms.close();
    database.close();
  }
}
