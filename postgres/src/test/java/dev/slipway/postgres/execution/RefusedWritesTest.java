package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepExecutor.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database refuses for its content ends the run; trying again would never end. */
class RefusedWritesTest {
  /** No timestamp of PostgreSQL goes so far. */
  private static final Instant BEYOND = Instant.parse("+999999-01-01T00:00:00Z");

  private Bench bench;
  private Bench.Replica replica;

  @BeforeEach
  void start() {
    bench = new Bench();
    replica = bench.replica("a", settings -> settings.withLease(Duration.ofDays(1)));
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void a_transition_that_the_database_refuses_fails_its_run_with_a_clear_error() {
    bench.probe.on("bad", call -> new Result.Parked(BEYOND, "the end of time", Map.of()));
    UUID run = bench.start(replica, "- {name: bad, type: probe}\n- {name: next, type: probe}");

    bench.awaitState(run, "failed");

    assertThat(bench.text("SELECT error->>'code' FROM runs WHERE id = ?", run))
        .isEqualTo("refused-write");
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run))
        .contains("the database refuses the values of the run")
        .contains("999999");
    assertThat(bench.steps(run)).containsEntry("bad", "failed");
    assertThat(bench.probe.names()).containsExactly("bad/1");
    assertThat(bench.eventTypes()).endsWith("workflow.failed");
  }

  @Test
  void what_else_runs_is_stopped_and_others_are_not_disturbed() {
    CountDownLatch asked = new CountDownLatch(1);
    bench.probe.on(
        "bad",
        call -> {
          asked.await();
          return new Result.Parked(BEYOND, "the end of time", Map.of());
        });
    bench.probe.on(
        "long",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    UUID run =
        bench.start(
            replica,
            """
            - {name: bad, type: probe, parallel: true}
            - {name: long, type: probe, parallel: true}
            """);
    await().until(() -> bench.probe.names().contains("long/1"));
    UUID other = bench.start(replica, "- {name: fine, type: probe}");
    asked.countDown();

    bench.awaitState(run, "failed");
    bench.awaitState(other, "succeeded");
    assertThat(bench.steps(run)).containsEntry("long", "cancelled");
  }

  @Test
  void a_child_that_ends_so_fails_the_step_that_called_it() {
    bench.probe.on("bad", call -> new Result.Parked(BEYOND, "the end of time", Map.of()));
    NewRun run =
        bench.calling(
            "- {name: call, workflow: inner}",
            Map.of("inner", "steps: [{name: bad, type: probe}]"));
    replica.runs.insert(List.of(run));

    bench.awaitState(run.id(), "failed");
  }

  @Test
  void a_child_that_cannot_even_begin_fails_the_step_that_called_it() {
    NewRun run =
        bench.calling(
            "- {name: call, workflow: inner}",
            Map.of(
                "inner",
                """
                variables: {x: '{{ fail "no way" }}'}
                steps: [{name: a, type: probe}]
                """));
    replica.runs.insert(List.of(run));

    bench.awaitState(run.id(), "failed");
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run.id()))
        .contains("no way");
  }
}
