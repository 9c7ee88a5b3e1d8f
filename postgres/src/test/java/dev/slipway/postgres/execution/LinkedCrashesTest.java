package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs that wait for others, when servers die. */
@Tag("proof")
class LinkedCrashesTest {
  private static final String WORKFLOW =
      """
      - {name: db, workflow: make, compensate: [{name: drop, workflow: drop}]}
      - {name: user, type: probe, compensate: [{name: undo-user, type: probe}]}
      - {name: bad, type: probe, on_error: {action: rollback, rollback_steps: [{name: own, type: probe}]}}
      - {name: tidy, type: probe, when: always}
      """;

  private static final Map<String, String> CALLED =
      Map.of(
          "make",
          "steps: [{name: create, type: probe}, {name: fill, workflow: fill}]",
          "fill",
          "steps: [{name: insert, type: probe}]",
          "drop",
          "steps: [{name: remove, type: probe}]");

  /** Every call of an executor, in order, whichever run it is in. */
  private static final List<String> CALLS =
      List.of(
          "create/1",
          "insert/1",
          "user/1",
          "bad/1",
          "bad/own/1",
          "user/undo-user/1",
          "remove/1",
          "tidy/1");

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
  void a_server_that_dies_in_any_step_of_any_of_them_loses_nothing() {
    AtomicInteger deadly = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch[] dying = new CountDownLatch[1];
    Probe.Behaviour mortal =
        call -> {
          if (calls.incrementAndGet() == deadly.get()) {
            dying[0].countDown();
            new CountDownLatch(1).await();
          }
          return call.step().name().equals("bad")
              ? RunsTest.failed("broken", StepError.Kind.PERMANENT)
              : Probe.DONE;
        };
    Stream.of("create", "insert", "user", "bad", "own", "undo-user", "remove", "tidy")
        .forEach(step -> bench.probe.on(step, mortal));
    NewRun first = bench.calling(WORKFLOW, CALLED);
    for (int at = 1; at <= CALLS.size(); at++) {
      bench.probe.calls.clear();
      calls.set(0);
      deadly.set(at);
      dying[0] = new CountDownLatch(1);
      Bench.Replica dead = bench.replica("a" + at);
      NewRun run = bench.copy(first);
      dead.runs.insert(List.of(run));
      await().until(() -> dying[0].getCount() == 0);

      bench.forget(dead);
      Bench.Replica heir = bench.replica("b" + at);
      bench.turn(Duration.ofSeconds(31));

      bench.awaitState(run.id(), "failed");
      assertUndone(run.id(), at);
      await().until(() -> heir.dispatcher.active() == 0);
      bench.forget(heir);
    }
  }

  private void assertUndone(UUID run, int at) {
    assertThat(bench.probe.names().stream().distinct())
        .as("dying in call %d repeats it and nothing else", at)
        .containsExactlyElementsOf(CALLS);
    assertThat(bench.probe.names()).hasSize(CALLS.size() + 1);
    assertThat(new HashSet<>(bench.probe.keys())).as("the same keys").hasSize(CALLS.size());
    assertThat(bench.madeBy(run)).as("one child, one rollback").hasSize(2);
    assertThat(bench.text("SELECT rollback FROM runs WHERE id = ?", run)).isEqualTo("complete");
    assertThat(bench.steps(run))
        .containsEntry("db", "rolled-back")
        .containsEntry("user", "rolled-back")
        .containsEntry("tidy", "succeeded");
  }

  @Test
  void a_frozen_worker_of_a_child_that_wakes_up_changes_nothing() {
    CountDownLatch frozen = new CountDownLatch(1);
    bench.probe.on(
        "create",
        call -> {
          if (call.origin() == StepCall.Origin.FRESH) {
            await().until(() -> frozen.getCount() == 0);
            return new Result.Succeeded(Map.of("from", "the dead"), Set.of());
          }
          return new Result.Succeeded(Map.of("from", "the living"), Set.of());
        });
    Bench.Replica a = bench.replica("a");
    NewRun run =
        bench.calling(
            "- {name: db, workflow: make}",
            Map.of(
                "make",
                """
                steps: [{name: create, type: probe}]
                outputs: {from: '{{ .steps.create.output.from }}'}
                """));
    a.runs.insert(List.of(run));
    await().until(() -> bench.probe.names().contains("create/1"));
    bench.awaitState(run.id(), "waiting");
    bench.freezeHeartbeat(a, bench.madeBy(run.id()).getFirst());
    bench.replica("b");
    bench.turn(Duration.ofSeconds(30));
    // Who has taken it over by then may have lost its own lease with that, and needs some seconds.
    bench.turnUntil(() -> bench.state(run.id()).equals("succeeded"));

    frozen.countDown();
    await().until(() -> a.dispatcher.active() == 0);

    assertThat(
            bench.text(
                "SELECT outputs->>'from' FROM steps WHERE name = 'db' AND run_id = ?", run.id()))
        .isEqualTo("the living");
    assertThat(bench.eventTypes().stream().filter("workflow.completed"::equals)).hasSize(2);
    assertThat(bench.madeBy(run.id())).hasSize(1);
  }

  @Test
  void cut_connections_make_no_child_twice_and_lose_no_end() {
    TestDatabase test = new TestDatabase(bench.database.address().jdbcUrl(), "postgres", "unused");
    AtomicInteger calls = new AtomicInteger();
    Probe.Behaviour cutting =
        call -> {
          if (calls.incrementAndGet() % 40 == 0) {
            TestPostgres.cutConnections(test);
          }
          return call.step().name().equals("bad")
              ? RunsTest.failed("broken", StepError.Kind.PERMANENT)
              : Probe.DONE;
        };
    Stream.of("create", "insert", "user", "bad", "own", "undo-user", "remove", "tidy")
        .forEach(step -> bench.probe.on(step, cutting));
    Bench.Replica a = bench.replica("a");
    NewRun first = bench.calling(WORKFLOW, CALLED);
    int runs = 30;
    a.runs.insert(IntStream.range(0, runs).mapToObj(i -> bench.copy(first)).toList());

    bench.turnUntil(
        () ->
            bench.count(
                    "SELECT count(*) FROM runs WHERE kind = 'platform' AND state = 'failed'"
                        + " AND rollback = 'complete'")
                == runs);

    assertThat(new HashSet<>(bench.probe.keys())).hasSize(runs * CALLS.size());
    assertThat(bench.count("SELECT count(*) FROM runs WHERE kind = 'child'")).isEqualTo(runs * 3);
    assertThat(bench.count("SELECT count(*) FROM runs WHERE kind = 'rollback'")).isEqualTo(runs);
    assertThat(
            bench.count(
                "SELECT count(*) FROM runs WHERE owner IS NOT NULL OR claimable_at IS NOT NULL"))
        .isZero();
  }
}
