package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunsTest {
  private Bench bench;
  private Bench.Replica replica;

  @BeforeEach
  void start() {
    bench = new Bench();
    replica = bench.replica("a");
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void steps_run_one_after_the_other_and_each_change_has_its_event() {
    UUID run = bench.start(replica, "- {name: one, type: probe}\n- {name: two, type: probe}");

    bench.awaitState(run, "succeeded");

    assertThat(bench.probe.keys()).containsExactly(run + "/one/1", run + "/two/1");
    assertThat(bench.steps(run))
        .containsExactly(Map.entry("one", "succeeded"), Map.entry("two", "succeeded"));
    assertThat(bench.eventTypes())
        .containsExactly(
            "workflow.created",
            "workflow.started",
            "step.started one",
            "step.completed one",
            "step.started two",
            "step.completed two",
            "workflow.completed");
  }

  @Test
  void steps_of_a_parallel_group_run_together() {
    CyclicBarrier both = new CyclicBarrier(2);
    Probe.Behaviour meet =
        call -> {
          try {
            both.await();
          } catch (java.util.concurrent.BrokenBarrierException e) {
            throw new IllegalStateException(e);
          }
          return Probe.DONE;
        };
    bench.probe.on("a", meet);
    bench.probe.on("b", meet);
    UUID run =
        bench.start(
            replica,
            """
            - {name: a, type: probe, parallel: true}
            - {name: b, type: probe, parallel: true}
            - {name: c, type: probe}
            """);

    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.names()).endsWith("c/1");
  }

  @Test
  void after_a_failure_only_steps_for_failures_still_run() {
    bench.probe.on("bad", call -> failed("broken", StepError.Kind.PERMANENT));
    UUID run =
        bench.start(
            replica,
            """
            - {name: bad, type: probe}
            - {name: next, type: probe}
            - {name: tidy, type: probe, when: on_failure}
            - {name: last, type: probe, when: always}
            """);

    bench.awaitState(run, "failed");

    assertThat(bench.steps(run))
        .containsExactly(
            Map.entry("bad", "failed"),
            Map.entry("last", "succeeded"),
            Map.entry("next", "skipped"),
            Map.entry("tidy", "succeeded"));
  }

  @Test
  void a_step_that_may_fail_lets_the_run_go_on() {
    bench.probe.on("bad", call -> failed("broken", StepError.Kind.PERMANENT));
    UUID run =
        bench.start(
            replica,
            """
            - {name: bad, type: probe, on_error: continue}
            - {name: tidy, type: probe, when: on_failure}
            - {name: next, type: probe}
            """);

    bench.awaitState(run, "succeeded");
    assertThat(bench.steps(run))
        .containsExactly(
            Map.entry("bad", "failed"),
            Map.entry("next", "succeeded"),
            Map.entry("tidy", "skipped"));
  }

  @Test
  void a_failed_attempt_is_repeated_when_its_stored_timer_is_due_and_never_before() {
    bench.probe.on(
        "flaky",
        call -> call.attempt() < 3 ? failed("connect", StepError.Kind.TRANSIENT) : Probe.DONE);
    UUID run =
        bench.start(
            replica,
            "- {name: flaky, type: probe, retry: {attempts: 4, delay: 10s, backoff: exponential,"
                + " jitter: 0}}");

    bench.awaitState(run, "waiting");
    await().until(() -> replica.dispatcher.active() == 0);
    bench.turn(Duration.ofMillis(9_999));
    assertThat(bench.probe.names()).containsExactly("flaky/1");
    bench.turn(Duration.ofMillis(1));
    await().until(() -> bench.probe.names().size() == 2);
    bench.awaitState(run, "waiting");
    bench.turn(Duration.ofSeconds(20));
    bench.awaitState(run, "succeeded");

    assertThat(bench.probe.names()).containsExactly("flaky/1", "flaky/2", "flaky/3");
    assertThat(bench.eventTypes()).contains("step.retrying flaky", "workflow.waiting");
  }

  @Test
  void the_other_side_may_ask_for_a_longer_pause() {
    StepError busy = StepError.passing("http-status", "status 429", null);
    bench.probe.on(
        "busy",
        call ->
            call.attempt() == 1
                ? new Result.Failed(busy, Map.of(), Duration.ofSeconds(60))
                : Probe.DONE);
    UUID run =
        bench.start(
            replica, "- {name: busy, type: probe, retry: {attempts: 2, delay: 1s, jitter: 0}}");

    bench.awaitState(run, "waiting");
    await().until(() -> replica.dispatcher.active() == 0);
    bench.turn(Duration.ofMillis(59_999));
    assertThat(bench.probe.names()).containsExactly("busy/1");
    bench.turn(Duration.ofMillis(1));

    bench.awaitState(run, "succeeded");
  }

  @Test
  void a_permanent_failure_is_not_repeated() {
    bench.probe.on("bad", call -> failed("broken", StepError.Kind.PERMANENT));
    UUID run = bench.start(replica, "- {name: bad, type: probe, retry: {attempts: 4, delay: 1s}}");

    bench.awaitState(run, "failed");
    assertThat(bench.probe.names()).containsExactly("bad/1");
  }

  @Test
  void an_attempt_that_takes_too_long_is_stopped_and_may_be_repeated() {
    CountDownLatch never = new CountDownLatch(1);
    bench.probe.on(
        "slow",
        call -> {
          if (call.attempt() == 1) {
            never.await();
          }
          return Probe.DONE;
        });
    UUID run =
        bench.start(
            replica,
            "- {name: slow, type: probe, timeout: 30s, retry: {attempts: 2, delay: 1s, jitter:"
                + " 0}}");
    await().until(() -> bench.probe.names().size() == 1);

    bench.pass(run, Duration.ofSeconds(30));
    bench.awaitState(run, "waiting");
    bench.turn(Duration.ofSeconds(1));

    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.names()).containsExactly("slow/1", "slow/2");
  }

  @Test
  void a_run_that_takes_too_long_fails_and_still_tidies_up() {
    CountDownLatch never = new CountDownLatch(1);
    bench.probe.on(
        "slow",
        call -> {
          never.await();
          return Probe.DONE;
        });
    Bench.Replica patient = bench.replica("b", s -> s.withLease(Duration.ofHours(3)));
    replica.close();
    UUID run =
        bench.start(
            patient,
            """
            - {name: slow, type: probe, timeout: 2h, on_error: continue}
            - {name: next, type: probe}
            - {name: tidy, type: probe, when: always}
            """);
    await().until(() -> bench.probe.names().size() == 1);

    bench.turn(Duration.ofMinutes(30));

    bench.awaitState(run, "failed");
    assertThat(bench.steps(run))
        .containsExactly(
            Map.entry("next", "skipped"),
            Map.entry("slow", "failed"),
            Map.entry("tidy", "succeeded"));
  }

  @Test
  void a_parked_step_holds_no_thread_and_is_called_again_with_what_it_kept() {
    bench.probe.on(
        "poll",
        call ->
            call.origin() == StepCall.Origin.FRESH
                ? new Result.Parked(
                    bench.clock.instant().plusSeconds(60), "the other side", Map.of("n", 1L))
                : new Result.Succeeded(Map.of("n", call.memory().get("n")), Set.of()));
    UUID run = bench.start(replica, "- {name: poll, type: probe}");

    bench.awaitState(run, "waiting");
    await().until(() -> replica.dispatcher.active() == 0);
    bench.turn(Duration.ofSeconds(60));
    bench.awaitState(run, "succeeded");

    assertThat(bench.probe.keys()).containsExactly(run + "/poll/1", run + "/poll/1");
    assertThat(bench.probe.calls.getLast().origin()).isEqualTo(StepCall.Origin.RESUMED);
  }

  @Test
  void a_parked_step_whose_time_is_up_says_what_it_waited_for() {
    bench.probe.on(
        "poll",
        call ->
            new Result.Parked(
                bench.clock.instant().plusSeconds(60),
                "state to be ready",
                Map.of(Result.Parked.SEEN, "making " + bench.probe.calls.size())));
    UUID run = bench.start(replica, "- {name: poll, type: probe, timeout: 90s}");
    bench.awaitState(run, "waiting");
    bench.turn(Duration.ofSeconds(61));
    await().until(() -> bench.probe.calls.size() == 2);
    bench.awaitState(run, "waiting");

    bench.turn(Duration.ofSeconds(30));

    bench.awaitState(run, "failed");
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run))
        .contains("timeout of 90 s; it waited for state to be ready (last seen: making 2)");
    assertThat(bench.eventTypes())
        .as("once")
        .containsOnlyOnce("step.waiting poll", "workflow.waiting");
    assertThat(bench.probe.stops).hasSize(1);
  }

  @Test
  void undoing_goes_backwards_through_what_had_succeeded() {
    bench.probe.on("bad", call -> failed("broken", StepError.Kind.PERMANENT));
    UUID run =
        bench.start(
            replica,
            """
            - {name: a, type: probe, compensate: [{name: undo-a, type: probe}]}
            - {name: b, type: probe, compensate: [{name: undo-b, type: probe}]}
            - {name: bad, type: probe, on_error: {action: rollback, rollback_steps: [{name: own, type: probe}]}}
            - {name: last, type: probe, when: always}
            """);

    bench.awaitState(run, "failed");

    assertThat(bench.probe.names())
        .containsExactly("a/1", "b/1", "bad/1", "bad/own/1", "b/undo-b/1", "a/undo-a/1", "last/1");
    assertThat(bench.steps(run))
        .contains(Map.entry("a", "rolled-back"), Map.entry("b", "rolled-back"));
    assertThat(bench.eventTypes()).contains("step.rolled-back a");
    assertThat(bench.text("SELECT rollback FROM runs WHERE id = ?", run)).isEqualTo("complete");
  }

  @Test
  void undoing_that_fails_is_recorded_and_the_rest_goes_on() {
    bench.probe.on("bad", call -> failed("broken", StepError.Kind.PERMANENT));
    bench.probe.on("undo-b", call -> failed("broken", StepError.Kind.PERMANENT));
    UUID run =
        bench.start(
            replica,
            """
            - {name: a, type: probe, compensate: [{name: undo-a, type: probe}]}
            - {name: b, type: probe, compensate: [{name: undo-b, type: probe}]}
            - {name: bad, type: probe, on_error: rollback}
            """);

    bench.awaitState(run, "failed");

    assertThat(bench.steps(run))
        .contains(Map.entry("a", "rolled-back"), Map.entry("b", "succeeded"));
    assertThat(bench.text("SELECT rollback FROM runs WHERE id = ?", run)).isEqualTo("incomplete");
  }

  @Test
  void one_long_step_delays_no_other_step() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    bench.probe.on(
        "long",
        call -> {
          release.await();
          return Probe.DONE;
        });
    UUID slow = bench.start(replica, "- {name: long, type: probe}");
    await().until(() -> bench.probe.names().contains("long/1"));

    for (int i = 0; i < 20; i++) {
      bench.awaitState(bench.start(replica, "- {name: fast, type: probe}"), "succeeded");
    }

    assertThat(bench.state(slow)).isEqualTo("running");
    release.countDown();
    bench.awaitState(slow, "succeeded");
  }

  static Result failed(String code, StepError.Kind kind) {
    return new Result.Failed(new StepError(code, "it broke", kind, null), Map.of());
  }
}
