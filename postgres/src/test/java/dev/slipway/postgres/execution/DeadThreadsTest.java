package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.execute.StepLogs;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A replica with real parts, one of whose collaborators throws an Error on a thread that the engine
 * depends on. Time stands still unless the test turns it, so no lease ends: what another replica
 * takes up was given back.
 */
class DeadThreadsTest {
  private static final Duration HEARTBEAT = Bench.LEASE.dividedBy(5);
  private static final String WORK = "- {name: work, type: probe}";

  private final CountDownLatch died = new CountDownLatch(1);
  private final Supervision supervision = new Supervision(died::countDown);
  private final Threads threads = Threads.supervised(supervision);
  private final List<AutoCloseable> parts = new ArrayList<>();
  private Bench bench;
  private volatile String broken = "";

  @BeforeEach
  void start() {
    bench = new Bench();
  }

  @AfterEach
  void stop() throws Exception {
    stopReplica();
    bench.close();
  }

  @Test
  void a_dispatcher_that_dies_is_known_and_its_runs_are_given_back() throws Exception {
    Dispatcher dispatcher = replica();
    UUID run = heldRun(dispatcher);
    broken = "claim";
    dispatcher.signal();

    diesOf("dispatcher");
    anotherReplicaGoesOnWith(run);
  }

  @Test
  void a_heartbeat_that_dies_is_known_and_its_runs_are_given_back() throws Exception {
    UUID run = heldRun(replica());
    broken = "heartbeat";
    bench.turn(HEARTBEAT);

    diesOf("heartbeat");
    anotherReplicaGoesOnWith(run);
  }

  @Test
  void an_alarm_that_fails_is_known_and_its_runs_are_given_back() throws Exception {
    UUID run = heldRun(replica());
    alarms.at(
        bench.clock.instant(),
        () -> {
          throw new OutOfMemoryError("Java heap space");
        });

    diesOf("alarms");
    anotherReplicaGoesOnWith(run);
  }

  @Test
  void a_writer_that_dies_is_known_fails_what_waits_for_it_and_gives_the_runs_back()
      throws Exception {
    Dispatcher dispatcher = replica();
    UUID run = heldRun(dispatcher);
    notifications.subscribe(
        Topic.EVENTS,
        payload -> {
          if (Thread.currentThread().getName().equals("group-commit")) {
            throw new NoClassDefFoundError("dev/slipway/postgres/runs/Gone");
          }
        });
    bench.probe.on("late", call -> Probe.DONE);
    NewRun late = bench.run("- {name: late, type: probe}\n- {name: after, type: probe}");
    runs.insert(List.of(late));
    dispatcher.signal();

    diesOf("group-commit");
    anotherReplicaGoesOnWith(run, late.id());
  }

  @Test
  void logs_that_cannot_be_flushed_because_of_an_error_are_known() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    bench.probe.on(
        "work",
        call -> {
          call.log().line(StepLog.Stream.STDOUT, "a line");
          never.await();
          return Probe.DONE;
        });
    Dispatcher dispatcher = replica();
    broken = "append";
    UUID run = started(dispatcher);
    bench.turn(Duration.ofSeconds(1));

    diesOf("logs");
    broken = "";
    anotherReplicaGoesOnWith(run);
  }

  @Test
  void a_listener_for_notifications_that_dies_is_known() throws Exception {
    Dispatcher dispatcher = replica();
    UUID run = heldRun(dispatcher);
    notifications.subscribe(
        Topic.RUNS,
        payload -> {
          if (Thread.currentThread().getName().equals("notifications")) {
            throw new StackOverflowError();
          }
        });
    bench.database.jdbi().useHandle(h -> h.execute("SELECT pg_notify('slipway', 'runs:')"));

    diesOf("notifications");
    anotherReplicaGoesOnWith(run);
  }

  // ---------------------------------------------------------------- the replica

  private Notifications notifications;
  private PostgresRuns runs;
  private Alarms alarms;

  private Dispatcher replica() {
    notifications = part(new Notifications(bench.database, threads));
    runs =
        part(new PostgresRuns(bench.database, notifications, new SecretBox(new byte[32]), threads));
    alarms = part(new Alarms(bench.clock, threads));
    RunStore.Owner owner = new RunStore.Owner("dying", UUID.randomUUID().toString());
    EngineContext context =
        bench.engineContext(
            breakable(RunStore.class, runs),
            EngineSettings.of(owner).withLease(Bench.LEASE),
            bench.clock,
            alarms,
            ProviderFiles.LOCAL);
    StepLogs logs = breakable(StepLogs.class, new PostgresStepLogs(bench.database.jdbi()));
    return part(
        new Dispatcher(
            new EngineContext(
                context.settings(),
                context.store(),
                context.definitions(),
                context.rendering(),
                context.executors(),
                context.box(),
                logs,
                context.rules(),
                context.bounds(),
                context.clock(),
                context.alarms(),
                context.random(),
                context.metrics(),
                context.files(),
                threads)));
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.addFirst(part);
    return part;
  }

  /** Does what the real one does, except for the method that is broken. */
  private <T> T breakable(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals(broken)) {
                throw new AssertionError(broken + " is broken");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private UUID heldRun(Dispatcher dispatcher) {
    bench.probe.on(
        "work",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    return started(dispatcher);
  }

  private UUID started(Dispatcher dispatcher) {
    NewRun run = bench.run(WORK);
    runs.insert(List.of(run));
    dispatcher.signal();
    await().until(() -> bench.probe.names().contains("work/1"));
    return run.id();
  }

  private void diesOf(String thread) {
    await().until(() -> died.getCount() == 0);
    assertThat(supervision.death().orElseThrow().thread()).isEqualTo(thread);
  }

  /** What the process does when a thread has died. */
  private void stopReplica() throws Exception {
    supervision.stopping();
    while (!parts.isEmpty()) {
      parts.removeFirst().close();
    }
  }

  private void anotherReplicaGoesOnWith(UUID... given) throws Exception {
    stopReplica();
    bench.probe.on("work", call -> Probe.DONE);
    bench.replica("healthy").dispatcher.signal();
    for (UUID run : given) {
      bench.awaitState(run, "succeeded");
    }
  }
}
