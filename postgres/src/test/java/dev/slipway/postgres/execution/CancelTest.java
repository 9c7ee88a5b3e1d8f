package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.EngineSettings.StepLimit;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Limits;
import dev.slipway.engine.execute.StepExecutor.Result;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CancelTest {
  private static final String WORKFLOW =
      """
      - {name: work, type: probe}
      - {name: next, type: probe}
      - {name: tidy, type: probe, when: always}
      """;

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
  void a_parked_step_that_waits_for_a_place_when_it_is_cancelled_is_stopped_outside_too() {
    StepLimit one = new StepLimit(1, 1);
    CountDownLatch busy = new CountDownLatch(1);
    bench.probe.on(
        "park", call -> new Result.Parked(bench.clock.instant().plusSeconds(5), "x", Map.of()));
    bench.probe.on(
        "hold",
        call -> {
          busy.await();
          return Probe.DONE;
        });
    bench.forget(replica);
    Bench.Replica narrow = bench.replica("narrow", settings -> settings.withSteps(one, one));
    UUID run = bench.start(narrow, "- {name: park, type: probe}");
    bench.awaitState(run, "waiting");
    UUID other = bench.start(narrow, "- {name: hold, type: probe}");
    await().until(() -> bench.probe.names().contains("hold/1"));
    bench.turn(Duration.ofSeconds(6));
    String parked = "step " + run + "/park/1";
    await().until(() -> bench.threads.waiting(parked).size() == 1);

    narrow.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());
    bench.awaitState(run, "cancelled"); // stopping needs no place
    busy.countDown();

    bench.awaitState(other, "succeeded");
    assertThat(bench.probe.stops).extracting(StepCall::run).containsExactly(run);
  }

  @Test
  void stops_the_running_step_waits_for_its_end_and_still_tidies_up() {
    AtomicBoolean ended = new AtomicBoolean();
    bench.probe.on(
        "work",
        call -> {
          try {
            new CountDownLatch(1).await();
          } finally {
            ended.set(true);
          }
          return Probe.DONE;
        });
    bench.probe.on(
        "tidy",
        call -> {
          assertThat(ended).as("the stopped step has ended before").isTrue();
          return Probe.DONE;
        });
    UUID run = bench.start(replica, WORKFLOW);
    await().until(() -> bench.probe.names().contains("work/1"));

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.steps(run))
        .containsExactly(
            Map.entry("next", "cancelled"),
            Map.entry("tidy", "succeeded"),
            Map.entry("work", "cancelled"));
    assertThat(bench.eventTypes()).endsWith("workflow.cancelled");
  }

  @Test
  void forced_runs_nothing_more() {
    bench.probe.on(
        "work",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    UUID run = bench.start(replica, WORKFLOW);
    await().until(() -> bench.probe.names().contains("work/1"));

    replica.runs.cancel(run, Cancel.FORCED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.probe.names()).containsExactly("work/1");
  }

  @Test
  void losing_to_success_counts_as_success() {
    CountDownLatch asked = new CountDownLatch(1);
    bench.probe.on(
        "last",
        call -> {
          try {
            asked.await();
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            // too late to stop: the effect has happened
          }
          return Probe.DONE;
        });
    UUID run = bench.start(replica, "- {name: last, type: probe}");
    await().until(() -> bench.probe.names().contains("last/1"));

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());
    asked.countDown();

    bench.awaitState(run, "succeeded");
  }

  @Test
  void a_parked_step_is_stopped_outside_too() {
    bench.probe.on(
        "work", call -> new Result.Parked(null, "the other side", Map.of("job", 7L), Limits.NONE));
    UUID run = bench.start(replica, WORKFLOW);
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.probe.stops).hasSize(1);
    assertThat(bench.probe.stops.getFirst().memory()).containsEntry("job", 7L);
  }

  @Test
  void an_unclaimed_run_that_is_cancelled_executes_no_step() {
    replica.close();
    UUID run = bench.start(replica, WORKFLOW);
    replica.runs.cancel(run, Cancel.FORCED, bench.clock.instant());
    bench.replica("b");

    bench.awaitState(run, "cancelled");
    assertThat(bench.probe.calls).isEmpty();
  }

  @Test
  void a_retry_that_waits_is_cancelled_too() {
    bench.probe.on(
        "work",
        call ->
            new Result.Failed(
                new StepError("connect", "away", StepError.Kind.TRANSIENT, null), Map.of()));
    UUID run = bench.start(replica, "- {name: work, type: probe, retry: {attempts: 9, delay: 1h}}");
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.probe.names()).containsExactly("work/1");
  }

  @Test
  void a_signal_wakes_a_step_that_waits_for_people_while_others_run() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean decided = new AtomicBoolean();
    bench.probe.on(
        "people",
        call ->
            decided.get()
                ? Probe.DONE
                : new Result.Parked(
                    bench.clock.instant().plus(Duration.ofDays(3)),
                    "people",
                    Map.of(),
                    Limits.NONE));
    bench.probe.on(
        "busy",
        call -> {
          release.await();
          return Probe.DONE;
        });
    UUID run =
        bench.start(
            replica,
            """
            - {name: people, type: probe, parallel: true}
            - {name: busy, type: probe, parallel: true}
            """);
    await().until(() -> bench.steps(run).getOrDefault("people", "").equals("waiting"));

    decided.set(true);
    bench.signal(run);
    await().until(() -> bench.steps(run).get("people").equals("succeeded"));
    release.countDown();

    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.calls.stream().map(StepCall::origin)).contains(StepCall.Origin.RESUMED);
  }
}
