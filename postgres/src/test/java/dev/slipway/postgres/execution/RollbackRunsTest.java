package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.postgres.runs.RollbackRetries;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollbackRunsTest {
  private static final String WORKFLOW =
      """
      - name: make
        type: probe
        setVariables: {place: 'zone-{{ .steps.make.output.zone }}'}
        compensate:
          - name: drop
            type: probe
            text: '{{ .steps.make.output.zone }} {{ .variables.place }} {{ .steps.make.output.password }}'
            retry: {attempts: 2, delay: 5s}
      - {name: bad, type: probe, on_error: rollback}
      - {name: tidy, type: probe, when: always}
      """;

  private Bench bench;
  private Bench.Replica replica;

  @BeforeEach
  void start() {
    bench = new Bench();
    replica = bench.replica("a", settings -> settings.withLease(Duration.ofDays(1)));
    bench.probe.on("bad", call -> RunsTest.failed("broken", StepError.Kind.PERMANENT));
    bench.probe.on(
        "make",
        call -> new Result.Succeeded(Map.of("zone", 7L, "password", "hunter2hunter2"), Set.of()));
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void undoing_sees_what_the_failed_run_knew_and_no_secret_is_stored() {
    UUID run = bench.start(replica, WORKFLOW);

    bench.awaitState(run, "failed");

    assertThat(bench.probe.calls)
        .filteredOn(call -> call.step().name().equals("drop"))
        .singleElement()
        .satisfies(
            call -> assertThat(call.config()).containsEntry("text", "7 zone-7 hunter2hunter2"));
    UUID rollback = bench.madeBy(run).getFirst();
    assertThat(bench.text("SELECT kind || ' ' || state FROM runs WHERE id = ?", rollback))
        .isEqualTo("rollback succeeded");
    assertThat(bench.steps(rollback)).containsExactly(Map.entry("make/drop", "succeeded"));
    assertThat(bench.steps(run)).doesNotContainKey("make/drop");
    assertThat(bench.count("SELECT count(*) FROM runs WHERE CAST(runs AS text) LIKE '%hunter2%'"))
        .isZero();
  }

  @Test
  void the_failed_run_waits_for_its_rollback_without_a_lease_and_undoing_is_repeated() {
    AtomicInteger tries = new AtomicInteger();
    bench.probe.on(
        "drop",
        call ->
            tries.incrementAndGet() == 1
                ? RunsTest.failed("away", StepError.Kind.TRANSIENT)
                : Probe.DONE);
    UUID run = bench.start(replica, WORKFLOW);
    bench.awaitState(run, "waiting");
    await().until(() -> !bench.madeBy(run).isEmpty());
    bench.awaitState(bench.madeBy(run).getFirst(), "waiting");
    await().until(() -> replica.dispatcher.active() == 0);
    assertThat(bench.text("SELECT rollback FROM runs WHERE id = ?", run)).isEqualTo("running");

    bench.turn(Duration.ofSeconds(7));

    bench.awaitState(run, "failed");
    assertThat(bench.text("SELECT rollback FROM runs WHERE id = ?", run)).isEqualTo("complete");
    assertThat(bench.probe.names()).endsWith("make/drop/2", "tidy/1");
  }

  @Test
  void asked_kindly_to_stop_it_undoes_to_the_end() {
    CountDownLatch release = new CountDownLatch(1);
    bench.probe.on(
        "drop",
        call -> {
          release.await();
          return Probe.DONE;
        });
    UUID run = bench.start(replica, WORKFLOW);
    await().until(() -> bench.probe.names().contains("make/drop/1"));
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());
    await().until(() -> replica.dispatcher.active() == 1);
    release.countDown();

    await().until(() -> "complete".equals(bench.text(ROLLBACK, run)));
    assertThat(bench.steps(run)).containsEntry("make", "rolled-back");
  }

  @Test
  void force_stops_the_rollback_too_and_says_that_it_is_incomplete() {
    bench.probe.on(
        "drop",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    UUID run = bench.start(replica, WORKFLOW);
    await().until(() -> bench.probe.names().contains("make/drop/1"));
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.FORCED, bench.clock.instant());

    await().until(() -> "incomplete".equals(bench.text(ROLLBACK, run)));
    assertThat(bench.state(bench.madeBy(run).getFirst())).isEqualTo("cancelled");
    assertThat(bench.steps(run))
        .containsEntry("make", "succeeded")
        .containsEntry("tidy", "cancelled");
  }

  @Test
  void a_rollback_that_undid_some_and_not_all_is_partial() {
    bench.probe.on("drop", call -> RunsTest.failed("stuck", StepError.Kind.PERMANENT));
    UUID run =
        bench.start(
            replica,
            """
            - {name: first, type: probe, compensate: [{name: undo, type: probe}]}
            """
                + WORKFLOW);

    bench.awaitState(run, "failed");

    UUID rollback = bench.madeBy(run).getFirst();
    assertThat(bench.state(rollback)).isEqualTo("partial");
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", rollback))
        .isEqualTo("could not be undone: 'make/drop': it broke");
    assertThat(bench.steps(run)).containsEntry("first", "rolled-back");
  }

  @Test
  void without_anything_to_undo_no_rollback_is_made() {
    UUID run = bench.start(replica, "- {name: bad, type: probe, on_error: rollback}");

    bench.awaitState(run, "failed");

    assertThat(bench.madeBy(run)).isEmpty();
    assertThat(bench.text(ROLLBACK, run)).isEqualTo("complete");
  }

  @Test
  void a_replica_that_dies_in_a_retried_rollback_is_followed_by_another() {
    AtomicInteger tries = new AtomicInteger();
    bench.probe.on("drop", call -> RunsTest.failed("stuck", StepError.Kind.PERMANENT));
    String undoable = "- {name: first, type: probe, compensate: [{name: undo, type: probe}]}\n";
    UUID run = bench.start(replica, undoable + WORKFLOW);
    bench.awaitState(run, "failed");
    CountDownLatch reached = new CountDownLatch(1);
    bench.probe.on(
        "drop",
        call -> {
          if (tries.incrementAndGet() == 1) {
            reached.countDown();
            new CountDownLatch(1).await();
          }
          return Probe.DONE;
        });

    UUID again = retried(run, undoable + WORKFLOW);
    await().until(() -> reached.getCount() == 0);
    replica.close();
    bench.replica("b");

    bench.awaitState(again, "succeeded");
    assertThat(bench.steps(again))
        .containsOnly(Map.entry("make/drop", "succeeded"), Map.entry("first/undo", "succeeded"));
    assertThat(bench.probe.names()).filteredOn("first/undo/1"::equals).hasSize(1);
    assertThat(bench.state(run)).isEqualTo("failed");
  }

  /** As the server does: the new run has what the last rollback had. */
  private UUID retried(UUID failed, String workflow) {
    UUID id = UUID.randomUUID();
    return new RollbackRetries(bench.database.jdbi(), Map.of())
        .retry(
            failed,
            last -> {
              replica.runs.insert(
                  List.of(
                      new NewRun(
                          id,
                          NewRun.Kind.ROLLBACK,
                          bench.definition(workflow),
                          null,
                          last.subject(),
                          new NewRun.Tenancy("default", "team"),
                          NewRun.Origin.retry(failed, last.done()),
                          last.inputs(),
                          new NewRun.Creation("ann", bench.clock.instant()),
                          null)));
              return id;
            });
  }

  private static final String ROLLBACK =
      "SELECT coalesce(rollback, '') FROM runs WHERE id = ? AND finished_at IS NOT NULL"
          + " UNION ALL SELECT '' WHERE NOT EXISTS"
          + " (SELECT 1 FROM runs WHERE finished_at IS NOT NULL AND kind = 'platform') LIMIT 1";
}
