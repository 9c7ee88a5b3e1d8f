package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
class CrashesTest {
  private static final String TWO_STEPS = "- {name: one, type: probe}\n- {name: two, type: probe}";

  private Bench bench;

  @BeforeEach
  void start() {
    bench = new Bench();
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void another_replica_resumes_the_interrupted_attempt_with_the_same_key() {
    CountDownLatch never = new CountDownLatch(1);
    bench.probe.on(
        "two",
        call -> {
          if (call.origin() == StepCall.Origin.FRESH) {
            never.await();
          }
          return Probe.DONE;
        });
    Bench.Replica dying = bench.replica("a");
    UUID run = bench.start(dying, TWO_STEPS);
    await().until(() -> bench.probe.names().contains("two/1"));

    bench.forget(dying);
    Bench.Replica other = bench.replica("b");
    bench.turn(Duration.ofSeconds(30));

    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.keys()).containsExactly(run + "/one/1", run + "/two/1", run + "/two/1");
    assertThat(bench.probe.calls.getLast().origin()).isEqualTo(StepCall.Origin.RECOVERED);
    await().until(() -> other.dispatcher.active() == 0);
  }

  @Test
  void a_frozen_worker_that_wakes_up_changes_nothing() {
    CountDownLatch frozen = new CountDownLatch(1);
    bench.probe.on(
        "one",
        call -> {
          if (call.origin() == StepCall.Origin.FRESH) {
            await().until(() -> frozen.getCount() == 0);
            return new Result.Succeeded(Map.of("from", "the dead"), Set.of());
          }
          return new Result.Succeeded(Map.of("from", "the living"), Set.of());
        });
    Bench.Replica a = bench.replica("a");
    UUID run = bench.start(a, TWO_STEPS);
    await().until(() -> bench.probe.names().contains("one/1"));
    bench.freezeHeartbeat(a, run);
    bench.replica("b");
    bench.turn(Duration.ofSeconds(30));
    // Who has taken it over by then may have lost its own lease with that, and needs some seconds.
    await()
        .until(
            () -> {
              bench.turn(Duration.ofSeconds(1));
              return bench.state(run).equals("succeeded");
            });

    frozen.countDown();
    await().until(() -> a.dispatcher.active() == 0);

    assertThat(
            bench.text("SELECT outputs->>'from' FROM steps WHERE name = 'one' AND run_id = ?", run))
        .isEqualTo("the living");
    assertThat(bench.eventTypes().stream().filter("workflow.completed"::equals)).hasSize(1);
  }

  @Test
  void a_run_that_is_claimed_again_begins_when_its_former_worker_has_gone() {
    CountDownLatch stubborn = new CountDownLatch(1);
    CountDownLatch repeated = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    bench.probe.on(
        "one",
        call -> {
          most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
          CountDownLatch until = call.origin() == StepCall.Origin.FRESH ? stubborn : repeated;
          await().until(() -> until.getCount() == 0); // also when it is interrupted
          atOnce.decrementAndGet();
          return Probe.DONE;
        });
    Bench.Replica only = bench.replica("a");
    UUID run = bench.start(only, TWO_STEPS);
    await().until(() -> bench.probe.names().contains("one/1"));

    bench.loseHeartbeats(run);
    only.dispatcher.signal();
    await().until(() -> bench.text("SELECT epoch FROM runs WHERE id = ?", run).equals("2"));
    stubborn.countDown();
    await().until(() -> bench.probe.calls.size() == 2);
    bench.pass(run, Bench.LEASE.multipliedBy(2));
    repeated.countDown();

    bench.awaitState(run, "succeeded");
    assertThat(most).as("executions at the same time").hasValue(1);
    assertThat(bench.text("SELECT epoch FROM runs WHERE id = ?", run)).isEqualTo("2");
  }

  @Test
  void a_server_that_stops_gives_its_runs_back_and_they_go_on_elsewhere() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger interrupted = new AtomicInteger();
    bench.probe.on(
        "one",
        call -> {
          if (call.origin() == StepCall.Origin.FRESH) {
            try {
              never.await();
            } catch (InterruptedException e) {
              interrupted.incrementAndGet();
              throw e;
            }
          }
          return Probe.DONE;
        });
    Bench.Replica first = bench.replica("a");
    UUID run = bench.start(first, TWO_STEPS);
    await().until(() -> bench.probe.names().contains("one/1"));

    first.close();
    assertThat(interrupted).hasValue(1);
    bench.replica("a");

    bench.awaitState(run, "succeeded");
  }

  @Test
  void a_server_that_stops_keeps_its_runs_until_their_steps_have_stopped() throws Exception {
    CountDownLatch stubborn = new CountDownLatch(1);
    bench.probe.on(
        "one",
        call -> {
          if (call.origin() == StepCall.Origin.FRESH) {
            await().until(() -> stubborn.getCount() == 0); // also when it is interrupted
          }
          return Probe.DONE;
        });
    Bench.Replica stopping = bench.replica("a");
    UUID run = bench.start(stopping, TWO_STEPS);
    await().until(() -> bench.probe.names().contains("one/1"));
    Bench.Replica other = bench.replica("b");

    Thread closing = Thread.startVirtualThread(stopping.dispatcher::close);
    bench.pass(run, Bench.LEASE.multipliedBy(2));
    assertThat(bench.probe.calls).hasSize(1);
    assertThat(closing.isAlive()).isTrue();
    stubborn.countDown();
    closing.join();

    other.dispatcher.signal();
    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.keys()).containsExactly(run + "/one/1", run + "/one/1", run + "/two/1");
  }

  @Test
  void a_thousand_runs_on_two_replicas_have_each_effect_once() {
    Map<String, Integer> effects = new ConcurrentHashMap<>();
    Probe.Behaviour effect =
        call -> {
          effects.merge(call.key(), 1, Integer::sum);
          return Probe.DONE;
        };
    bench.probe.on("one", effect);
    bench.probe.on("two", effect);
    Bench.Replica a = bench.replica("a");
    Bench.Replica b = bench.replica("b");
    List<NewRun> runs = new ArrayList<>();
    NewRun first = bench.run(TWO_STEPS);
    for (int i = 0; i < 1000; i++) {
      runs.add(bench.copy(first));
    }
    a.runs.insert(runs.subList(0, 500));
    b.runs.insert(runs.subList(500, 1000));

    await().until(() -> bench.count("SELECT count(*) FROM runs WHERE state = 'succeeded'") == 1000);

    assertThat(effects).hasSize(2000);
    assertThat(new HashSet<>(effects.values())).containsExactly(1);
    assertThat(bench.count("SELECT count(*) FROM events WHERE type = 'workflow.completed'"))
        .isEqualTo(1000);
    assertThat(
            bench.count(
                "SELECT count(*) FROM runs WHERE owner IS NOT NULL OR claimable_at IS NOT NULL"))
        .isZero();
  }

  @Test
  void connections_that_are_cut_in_mid_run_lose_nothing_and_double_nothing() {
    TestDatabase test = new TestDatabase(bench.database.address().jdbcUrl(), "postgres", "unused");
    Bench.Replica a = bench.replica("a");
    NewRun first = bench.run(TWO_STEPS);
    List<NewRun> runs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      runs.add(bench.copy(first));
    }
    AtomicInteger calls = new AtomicInteger();
    Probe.Behaviour cutting =
        call -> {
          if (calls.incrementAndGet() % 50 == 0) {
            TestPostgres.cutConnections(test);
          }
          return Probe.DONE;
        };
    bench.probe.on("one", cutting);
    bench.probe.on("two", cutting);
    a.runs.insert(runs);

    bench.turnUntil(
        () -> bench.count("SELECT count(*) FROM runs WHERE state = 'succeeded'") == 200);

    assertThat(new HashSet<>(bench.probe.keys())).hasSize(400);
    assertThat(bench.count("SELECT count(*) FROM events WHERE type = 'step.completed'"))
        .isEqualTo(400);
    assertThat(bench.count("SELECT count(*) FROM events WHERE type = 'workflow.completed'"))
        .isEqualTo(200);
  }

  @Test
  void many_waiting_runs_hold_no_thread() {
    bench.probe.on(
        "one",
        call ->
            call.origin() == StepCall.Origin.FRESH
                ? new Result.Parked(bench.clock.instant().plusSeconds(3600), "nothing", Map.of())
                : Probe.DONE);
    Bench.Replica a = bench.replica("a");
    NewRun first = bench.run(TWO_STEPS.replace("probe}", "probe, timeout: 3h}"));
    List<NewRun> runs = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      runs.add(bench.copy(first));
    }
    a.runs.insert(runs);

    await().until(() -> bench.count("SELECT count(*) FROM runs WHERE state = 'waiting'") == 300);
    await().until(() -> a.dispatcher.active() == 0);
  }
}
