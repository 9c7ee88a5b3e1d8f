package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.ApprovalDesk;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.access.Approval.Decision;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.Approvals.Outcome;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApprovalsTest {
  private static final String WAITING_FOR_A_LOCK =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private Bench bench;
  private Bench.Replica replica;
  private Approvals approvals;

  @BeforeEach
  void start() {
    bench = new Bench();
    replica =
        bench.replica("a", settings -> settings.withLease(Duration.ofDays(1)).withRuns(200, 100));
    approvals = new Approvals(bench.database.jdbi());
  }

  @AfterEach
  void stop() {
    bench.close();
  }

  @Test
  void of_many_at_once_each_person_counts_once_and_enough_of_them_grant() throws Exception {
    UUID run = bench.start(replica, "- {name: ask, type: approval, required: 3}");
    UUID approval = asked(run, "ask");
    List<Callable<Outcome>> votes = new ArrayList<>();
    for (String person : List.of("ann", "bob", "cid", "dan", "eve")) {
      votes.add(() -> approve(approval, person));
      votes.add(() -> approve(approval, person));
    }

    List<Outcome> outcomes = atOnce(votes);

    bench.awaitState(run, "succeeded");
    assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Counted).hasSize(3);
    assertThat(bench.count("SELECT count(*) FROM approval_votes")).isEqualTo(3);
    assertThat(bench.eventTypes().stream().filter(e -> e.startsWith("approval.granted")))
        .hasSize(1);
  }

  @Test
  void one_person_twice_is_not_two_persons() throws Exception {
    UUID run = bench.start(replica, "- {name: ask, type: approval, required: 2}");
    UUID approval = asked(run, "ask");

    List<Outcome> outcomes =
        atOnce(List.of(() -> approve(approval, "ann"), () -> approve(approval, "ann")));

    assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Counted).hasSize(1);
    assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Repeated).hasSize(1);
    assertThat(bench.state(run)).isEqualTo("waiting");
  }

  @Test
  void yes_and_no_at_once_have_one_winner() throws Exception {
    for (int round = 0; round < 10; round++) {
      UUID run = bench.start(replica, "- {name: ask, type: approval}");
      UUID approval = asked(run, "ask");

      List<Outcome> outcomes =
          atOnce(
              List.of(
                  () -> approve(approval, "ann"),
                  () ->
                      approvals.decide(
                          approval, "bob", Decision.REJECT, "no", bench.clock.instant())));

      assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Counted).hasSize(1);
      boolean yes = outcomes.getFirst() instanceof Outcome.Counted;
      bench.awaitState(run, yes ? "succeeded" : "failed");
    }
  }

  @Test
  void an_answer_and_the_end_of_its_time_have_one_winner() throws Exception {
    for (int round = 0; round < 10; round++) {
      UUID run = bench.start(replica, "- {name: ask, type: approval}");
      UUID approval = asked(run, "ask");
      var before = bench.clock.instant();

      List<Object> outcomes =
          atOnce(
              List.of(
                  () -> approvals.decide(approval, "ann", Decision.APPROVE, "", before),
                  () -> {
                    bench.turn(Duration.ofHours(1));
                    return "expired";
                  }));

      boolean counted = outcomes.getFirst() instanceof Outcome.Counted;
      // Moving the clock by the hour may end the lease of the replica that just claimed the run.
      bench.awaitState(run, counted ? "succeeded" : "failed", Duration.ofSeconds(1));
      assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", run))
          .isEqualTo(counted ? "granted" : "expired");
    }
  }

  @Test
  void a_frozen_worker_that_wakes_up_stores_no_approval_request() throws Exception {
    UUID run = bench.start(replica, "- {name: ask, type: approval}");
    asked(run, "ask");
    ApprovalDesk desk = new PostgresApprovalDesk(bench.database.jdbi(), UUID::randomUUID);

    assertThatThrownBy(() -> desk.ask(question(run, 0), bench.clock.instant()))
        .hasMessageContaining("another owner");

    assertThat(bench.count("SELECT count(*) FROM approvals")).isEqualTo(1);
    assertThat(desk.ask(question(run, 1), bench.clock.instant()))
        .isInstanceOf(ApprovalDesk.Answer.Pending.class);
  }

  /** As when the step that asks is stopped, and its connection dies with the answer. */
  @Test
  void a_question_that_is_just_being_committed_is_taken_back_too() throws Exception {
    UUID run = bench.start(replica, "- {name: act, type: probe}");
    bench.awaitState(run, "succeeded");
    TestDatabase test = new TestDatabase(bench.database.address().jdbcUrl(), "postgres", "unused");
    CountDownLatch committing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (PostgresProxy proxy = PostgresProxy.of(test);
        Database slow = Database.open(MigratedDatabase.address(proxy.through(test)), 2)) {
      proxy.watch(
          new PostgresProxy.CommitWatch() {
            @Override
            public void before(PostgresProxy.Transaction transaction) {
              committing.countDown();
              await().until(() -> goOn.getCount() == 0);
            }
          });
      ApprovalDesk asks = new PostgresApprovalDesk(slow.jdbi(), UUID::randomUUID);
      ApprovalDesk stops = new PostgresApprovalDesk(bench.database.jdbi(), UUID::randomUUID);
      Thread asking =
          Thread.startVirtualThread(() -> asks.ask(question(run, 1), bench.clock.instant()));
      committing.await();
      Thread stopping =
          Thread.startVirtualThread(() -> stops.withdraw(run, "other", bench.clock.instant()));
      await().until(() -> bench.count(WAITING_FOR_A_LOCK) == 1);
      assertThat(stopping.isAlive()).isTrue();
      goOn.countDown();
      asking.join();
      stopping.join();
    }

    assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", run)).isEqualTo("void");
  }

  private static ApprovalDesk.Question question(UUID run, long epoch) {
    return new ApprovalDesk.Question(
        run,
        epoch,
        "other",
        "hash",
        "may I?",
        List.of(),
        List.of(),
        List.of(),
        1,
        ApprovalDesk.Self.REFUSED,
        Duration.ofHours(1),
        "somebody",
        null,
        "default",
        "team");
  }

  @Test
  void a_cancelled_run_withdraws_the_approval_request_of_its_manual_step() throws Exception {
    UUID run = bench.start(replica, "- {name: act, type: probe, when: manual}");
    asked(run, "act");
    bench.awaitState(run, "waiting");

    replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    bench.awaitState(run, "cancelled");
    assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", run)).isEqualTo("void");
  }

  @Test
  void an_answer_and_a_cancel_leave_nothing_open() throws Exception {
    for (int round = 0; round < 10; round++) {
      UUID run = bench.start(replica, "- {name: ask, type: approval}\n- {name: next, type: probe}");
      UUID approval = asked(run, "ask");

      atOnce(
          List.of(
              () -> approve(approval, "ann"),
              () -> replica.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant())));

      await().until(() -> List.of("cancelled", "succeeded").contains(bench.state(run)));
      assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", run))
          .isNotEqualTo("pending");
    }
  }

  @Test
  void a_manual_step_asks_about_its_inputs_and_other_inputs_make_the_question_void() {
    UUID run = bench.start(replica, "- {name: go, type: probe, text: big, when: manual}");
    UUID approval = asked(run, "go");
    assertThat(bench.probe.names()).isEmpty();
    // As if the step had been rendered otherwise when it was asked for.
    bench
        .database
        .jdbi()
        .useHandle(
            h -> h.execute("UPDATE approvals SET hash = 'of other inputs' WHERE id = ?", approval));

    bench.signal(run);

    await().until(() -> bench.count("SELECT count(*) FROM approvals") == 2);
    assertThat(approve(approval, "ann")).isInstanceOf(Outcome.TooLate.class);
    assertThat(bench.text("SELECT state FROM approvals WHERE id = ?", approval)).isEqualTo("void");
    bench.awaitState(run, "waiting");
    approve(asked(run, "go"), "ann");
    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.names()).containsExactly("go/1");
  }

  @Test
  void a_manual_step_that_calls_a_workflow_makes_its_run_only_after_the_answer() {
    NewRun run =
        bench.calling(
            "- {name: go, workflow: inner, when: manual}",
            Map.of("inner", "steps: [{name: work, type: probe}]"));
    replica.runs.insert(List.of(run));
    UUID approval = asked(run.id(), "go");
    assertThat(bench.madeBy(run.id())).isEmpty();

    approve(approval, "ann");

    bench.awaitState(run.id(), "succeeded");
    assertThat(bench.madeBy(run.id())).hasSize(1);
  }

  @Test
  void thousands_that_wait_hold_nothing_and_each_can_be_answered() {
    NewRun run = bench.run("- {name: ask, type: approval}");
    List<NewRun> many = IntStream.range(0, 2000).mapToObj(i -> bench.copy(run)).toList();
    int threads = Thread.activeCount();
    replica.runs.insert(many);

    await().until(() -> bench.count("SELECT count(*) FROM runs WHERE state = 'waiting'") == 2000);
    await().until(() -> replica.dispatcher.active() == 0);

    assertThat(Thread.activeCount()).isLessThan(threads + 20);
    UUID one = many.get(1234).id();
    approve(asked(one, "ask"), "ann");
    bench.awaitState(one, "succeeded");
    assertThat(bench.count("SELECT count(*) FROM runs WHERE state = 'waiting'")).isEqualTo(1999);
  }

  private Outcome approve(UUID approval, String person) {
    return approvals.decide(approval, person, Decision.APPROVE, "", bench.clock.instant());
  }

  /** The open question of that step, once the run waits for it. */
  private UUID asked(UUID run, String step) {
    bench.awaitState(run, "waiting");
    return UUID.fromString(
        bench.text(
            "SELECT id FROM approvals WHERE run_id = ? AND state = 'pending' AND step = '"
                + step
                + "'",
            run));
  }

  private static <T> List<T> atOnce(List<? extends Callable<? extends T>> acts) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<T>> futures = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Callable<? extends T> act : acts) {
        futures.add(
            threads.submit(
                () -> {
                  go.await();
                  return act.call();
                }));
      }
      go.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
