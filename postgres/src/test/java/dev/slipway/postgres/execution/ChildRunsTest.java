package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Limits;
import dev.slipway.engine.execute.StepExecutor.Result;
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

class ChildRunsTest {
  private static final Map<String, String> MAKE_DB =
      Map.of(
          "make-db",
          """
          parameters:
            - {name: size, type: integer, required: true}
            - {name: admin_password, type: secret}
          steps:
            - {name: create, type: probe, text: '{{ .parameters.size }}'}
          outputs:
            size: '{{ .parameters.size }}'
            login: {value: 'root:{{ .parameters.admin_password }}', secret: true}
          """);

  private Bench bench;
  private Bench.Replica replica;

  @BeforeEach
  void start() {
    bench = new Bench();
    // Longer than any test turns the clock: leases have tests of their own.
    replica = bench.replica("a", settings -> settings.withLease(Duration.ofDays(1)));
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void a_step_calls_a_workflow_and_gets_its_outputs_with_their_types() {
    bench.probe.on("create", call -> Probe.DONE);
    UUID run =
        begin(
            """
            - {name: db, type: workflow, workflow: make-db, parameters: {size: 3}}
            - {name: use, type: probe, text: '{{ add .steps.db.output.size 1 }}'}
            """,
            MAKE_DB);

    bench.awaitState(run, "succeeded");

    UUID child = bench.madeBy(run).getFirst();
    assertThat(bench.state(child)).isEqualTo("succeeded");
    assertThat(bench.probe.keys()).containsExactly(child + "/create/1", run + "/use/1");
    assertThat(bench.probe.calls.getLast().config()).containsEntry("text", "4");
    assertThat(
            bench.text(
                "SELECT kind || parent_step || parent_attempt FROM runs WHERE id = ?", child))
        .isEqualTo("childdb1");
    assertThat(
            bench.text("SELECT outputs->>'size' FROM steps WHERE run_id = ?  AND name = 'db'", run))
        .isEqualTo("3");
  }

  @Test
  void secret_outputs_stay_secret() {
    UUID run =
        begin(
            """
            - {name: db, workflow: acme/make-db, parameters: {size: 3, admin_password: hunter2hunter2}}
            - {name: use, type: probe, text: '{{ .steps.db.output.login }}'}
            """,
            MAKE_DB);

    bench.awaitState(run, "succeeded");

    assertThat(bench.probe.calls.getLast().config()).containsEntry("text", "root:hunter2hunter2");
    assertThat(
            bench.count(
                "SELECT count(*) FROM steps WHERE CAST(steps AS text) LIKE '%hunter2%' UNION ALL"
                    + " SELECT count(*) FROM runs WHERE CAST(runs AS text) LIKE '%hunter2%' LIMIT"
                    + " 1"))
        .isZero();
    assertThat(bench.count("SELECT count(*) FROM runs WHERE CAST(runs AS text) LIKE '%hunter2%'"))
        .isZero();
  }

  @Test
  void waiting_for_a_child_holds_no_thread_and_no_lease() {
    CountDownLatch release = new CountDownLatch(1);
    bench.probe.on(
        "create",
        call -> {
          release.await();
          return Probe.DONE;
        });
    UUID run = begin("- {name: db, workflow: make-db, parameters: {size: 1}}", MAKE_DB);
    await().until(() -> bench.probe.names().contains("create/1"));

    bench.awaitState(run, "waiting");
    await().until(() -> replica.dispatcher.active() == 1);

    release.countDown();
    bench.awaitState(run, "succeeded");
  }

  @Test
  void no_event_and_no_list_shows_an_observation_and_the_runs_that_it_calls() {
    bench.probe.on("create", call -> Probe.DONE);
    NewRun.Key key = new NewRun.Key("toy", "one", "item", NewRun.Key.OBSERVATION);
    NewRun look =
        bench.about(
            bench.calling("- {name: db, workflow: make-db, parameters: {size: 3}}", MAKE_DB),
            new NewRun.Subject(null, null, null, key));
    replica.runs.insert(List.of(look));

    bench.awaitState(look.id(), "succeeded");

    assertThat(bench.madeBy(look.id())).hasSize(1);
    assertThat(bench.count("SELECT count(*) FROM events")).isZero();
    assertThat(bench.count("SELECT count(*) FROM runs WHERE cause = 'observation'")).isEqualTo(2);
    assertThat(
            bench.count(
                "SELECT count(*) FROM signals WHERE kind = 'toy' AND run IN"
                    + " (SELECT id FROM runs WHERE kind = 'child')"))
        .as("a child reports to the run that called it")
        .isZero();
  }

  @Test
  void a_failed_child_fails_the_step_with_its_reason() {
    bench.probe.on("create", call -> RunsTest.failed("broken", StepError.Kind.PERMANENT));
    UUID run = begin("- {name: db, workflow: make-db, parameters: {size: 1}}", MAKE_DB);

    bench.awaitState(run, "failed");

    UUID child = bench.madeBy(run).getFirst();
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run))
        .isEqualTo(
            "step 'db' failed: run "
                + child
                + " of 'acme/make-db' failed: step 'create' failed: it broke");
    assertThat(bench.text("SELECT error->>'code' FROM runs WHERE id = ?", run)).isEqualTo("broken");
  }

  @Test
  void each_attempt_of_the_step_is_a_new_child() {
    AtomicInteger calls = new AtomicInteger();
    bench.probe.on(
        "create",
        call ->
            calls.incrementAndGet() < 2
                ? RunsTest.failed("away", StepError.Kind.TRANSIENT)
                : Probe.DONE);
    UUID run =
        begin(
            "- {name: db, workflow: make-db, parameters: {size: 1}, retry: {attempts: 2, delay:"
                + " 5s}}",
            MAKE_DB);
    await().until(() -> bench.steps(run).containsValue("pending"));
    bench.awaitState(run, "waiting");

    bench.turn(Duration.ofSeconds(7));

    bench.awaitState(run, "succeeded");
    assertThat(bench.madeBy(run)).extracting(bench::state).containsExactly("failed", "succeeded");
  }

  @Test
  void parameters_are_checked_by_the_childs_own_rules() {
    UUID run = begin("- {name: db, workflow: make-db, parameters: {size: many}}", MAKE_DB);

    bench.awaitState(run, "failed");

    assertThat(bench.madeBy(run)).isEmpty();
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run))
        .contains("workflow 'make-db' cannot take these parameters")
        .contains("size");
  }

  @Test
  void children_have_children() {
    Map<String, String> library =
        Map.of(
            "outer",
            """
            steps:
              - {name: call, workflow: inner}
            outputs: {word: '{{ .steps.call.output.word }}'}
            """,
            "inner",
            """
            steps:
              - {name: say, type: probe}
            outputs: {word: '{{ .steps.say.output.word }}'}
            """);
    bench.probe.on("say", call -> new Result.Succeeded(Map.of("word", "hello"), Set.of()));
    UUID run =
        begin(
            """
            - {name: out, workflow: outer}
            - {name: use, type: probe, text: '{{ .steps.out.output.word }}'}
            """,
            library);

    bench.awaitState(run, "succeeded");

    assertThat(bench.probe.calls.getLast().config()).containsEntry("text", "hello");
    assertThat(bench.madeBy(bench.madeBy(run).getFirst())).hasSize(1);
  }

  @Test
  void cancelling_the_parent_stops_the_child_and_waits_for_its_end() {
    Map<String, String> library =
        Map.of(
            "long",
            """
            steps:
              - {name: work, type: probe}
              - {name: tidy, type: probe, when: always}
            """);
    bench.probe.on(
        "work",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    CountDownLatch tidied = new CountDownLatch(1);
    bench.probe.on(
        "tidy",
        call -> {
          tidied.await();
          return Probe.DONE;
        });
    UUID run = begin("- {name: call, workflow: long}", library);
    await().until(() -> bench.probe.names().contains("work/1"));
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    await().until(() -> bench.probe.names().contains("tidy/1"));
    bench.awaitState(run, "waiting");
    tidied.countDown();
    bench.awaitState(run, "cancelled");
    UUID child = bench.madeBy(run).getFirst();
    assertThat(bench.state(child)).isEqualTo("cancelled");
    assertThat(bench.steps(child)).containsEntry("tidy", "succeeded");
  }

  @Test
  void force_reaches_the_child_too() {
    Map<String, String> library =
        Map.of(
            "long",
            """
            steps:
              - {name: work, type: probe}
              - {name: tidy, type: probe, when: always}
            """);
    bench.probe.on("work", call -> block());
    bench.probe.on("tidy", call -> block());
    UUID run = begin("- {name: call, workflow: long}", library);
    await().until(() -> bench.probe.names().contains("work/1"));
    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());
    await().until(() -> bench.probe.names().contains("tidy/1"));

    replica.runs.cancel(run, Cancel.FORCED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.steps(bench.madeBy(run).getFirst())).containsEntry("tidy", "cancelled");
  }

  @Test
  void a_child_that_takes_longer_than_its_step_may_is_stopped() {
    bench.probe.on("create", call -> block());
    UUID run =
        begin("- {name: db, workflow: make-db, timeout: 20s, parameters: {size: 1}}", MAKE_DB);
    await().until(() -> bench.probe.names().contains("create/1"));
    bench.awaitState(run, "waiting");

    bench.turn(Duration.ofSeconds(21));

    bench.awaitState(run, "failed");
    assertThat(bench.state(bench.madeBy(run).getFirst())).isEqualTo("failed");
    assertThat(bench.text("SELECT error->>'message' FROM runs WHERE id = ?", run))
        .contains("longer than its timeout of 20 s");
  }

  @Test
  void an_approval_inside_a_child_uses_up_no_time_limit() {
    bench.probe.on(
        "create",
        call ->
            call.memory().isEmpty()
                ? new Result.Parked(null, "people", Map.of("asked", true), Limits.NONE)
                : Probe.DONE);
    UUID run =
        begin(
            """
            - {name: db, workflow: make-db, parameters: {size: 1}}
            - {name: after, type: probe}
            """,
            MAKE_DB);
    await().until(() -> !bench.madeBy(run).isEmpty());
    UUID child = bench.madeBy(run).getFirst();
    bench.awaitState(child, "waiting");

    bench.turn(Duration.ofHours(5));
    bench.signal(child);

    bench.awaitState(run, "succeeded");
  }

  @Test
  void what_a_child_used_of_the_time_is_gone_for_its_parent() {
    bench.probe.on("after", call -> block());
    CountDownLatch release = new CountDownLatch(1);
    bench.probe.on(
        "create",
        call -> {
          release.await();
          return Probe.DONE;
        });
    UUID run =
        begin(
            """
            - {name: db, workflow: make-db, parameters: {size: 1}}
            - {name: after, type: probe, timeout: 2h}
            """,
            Map.of("make-db", "steps: [{name: create, type: probe, timeout: 2h}]"));
    await().until(() -> bench.probe.names().contains("create/1"));
    bench.awaitState(run, "waiting");
    bench.turn(Duration.ofMinutes(20));
    release.countDown();
    await().until(() -> bench.probe.names().contains("after/1"));

    bench.turn(Duration.ofMinutes(11));

    bench.awaitState(run, "failed");
    assertThat(bench.text("SELECT error->>'code' FROM runs WHERE id = ?", run))
        .isEqualTo("run-timeout");
  }

  @Test
  void a_cancelled_child_fails_the_step() {
    bench.probe.on("create", call -> block());
    UUID run = begin("- {name: db, workflow: make-db, parameters: {size: 1}}", MAKE_DB);
    await().until(() -> bench.probe.names().contains("create/1"));
    bench.awaitState(run, "waiting");

    replica.runs.cancel(bench.madeBy(run).getFirst(), Cancel.REQUESTED, bench.clock.instant());

    bench.awaitState(run, "failed");
    assertThat(bench.steps(run)).containsEntry("db", "failed");
  }

  private static Result block() throws InterruptedException {
    new CountDownLatch(1).await();
    return Probe.DONE;
  }

  private UUID begin(String workflow, Map<String, String> library) {
    NewRun run = bench.calling(workflow, library);
    replica.runs.insert(List.of(run));
    return run.id();
  }
}
