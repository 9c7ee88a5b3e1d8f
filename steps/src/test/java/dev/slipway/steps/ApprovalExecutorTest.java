package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Limits;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.SettableClock;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ApprovalExecutorTest {
  private static TestDatabase fresh;
  private static Database database;
  private final SettableClock clock = new SettableClock();
  private final ApprovalExecutor approval =
      new ApprovalExecutor(new PostgresApprovalDesk(database.jdbi(), UUID::randomUUID), clock);

  @BeforeAll
  static void open() {
    fresh = TestPostgres.freshDatabase();
    database = Database.open(address(fresh), 4);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void asks_once_and_waits_without_counting_the_time() {
    StepCall call = Calls.of("approval", Map.of("teams", List.of("dba"), "expires", "2h"));

    Result first = approval.execute(call);
    Result again = approval.execute(call);

    assertThat(first)
        .isEqualTo(again)
        .isInstanceOfSatisfying(
            Result.Parked.class,
            parked -> {
              assertThat(parked.limits()).isEqualTo(Limits.NONE);
              assertThat(parked.wakeAt()).isEqualTo(clock.instant().plus(Duration.ofHours(2)));
            });
    assertThat(count(call)).isEqualTo(1);
    assertThat(events(call)).containsExactly("approval.requested");
  }

  @Test
  void a_granted_one_says_by_whom() {
    StepCall call = Calls.of("approval", Map.of("required", 2L));
    approval.execute(call);
    vote(call, "ann", "approve");
    vote(call, "bob", "approve");
    settle(call, "granted");

    assertThat(approval.execute(call))
        .isInstanceOfSatisfying(
            Result.Succeeded.class,
            done ->
                assertThat(done.outputs())
                    .containsEntry("decision", "approved")
                    .containsEntry("by", "ann, bob"));
  }

  @Test
  void a_rejected_one_fails_with_who_and_why() {
    StepCall call = Calls.of("approval", Map.of());
    approval.execute(call);
    vote(call, "ann", "reject");
    settle(call, "rejected");

    assertThat(approval.execute(call))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> assertThat(failed.error().message()).isEqualTo("ann rejected it: because"));
  }

  @Test
  void no_decision_in_time_is_a_failure_and_a_late_decision_finds_it_expired() {
    StepCall call = Calls.of("approval", Map.of("expires", "1h"));
    approval.execute(call);
    clock.advance(Duration.ofHours(1));

    assertThat(approval.execute(call))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> assertThat(failed.error().code()).isEqualTo("approval-expired"));
    assertThat(events(call)).containsExactly("approval.requested", "approval.expired");
  }

  @Test
  void an_answer_before_the_end_of_its_time_counts_even_if_it_is_read_after_it() {
    StepCall call = Calls.of("approval", Map.of("expires", "1h"));
    approval.execute(call);
    vote(call, "ann", "approve");
    settle(call, "granted");
    clock.advance(Duration.ofHours(2));

    assertThat(approval.execute(call)).isInstanceOf(Result.Succeeded.class);
  }

  @Test
  void other_inputs_are_another_question() {
    StepCall call = Calls.of("approval", Map.of("message", "small?"));
    approval.execute(call);
    approval.execute(Calls.inRun(call, Map.of("message", "large?")));

    assertThat(count(call)).isEqualTo(2);
  }

  @Test
  void a_database_that_is_away_is_no_answer_and_is_asked_again() {
    StepCall call = Calls.of("approval", Map.of());
    try (PostgresProxy proxy = PostgresProxy.of(fresh);
        Database through = Database.open(address(proxy.through(fresh)), 2)) {
      ApprovalExecutor shaky = over(through);
      proxy.goAway();

      assertThat(shaky.execute(call))
          .isInstanceOfSatisfying(
              Result.Parked.class,
              parked -> {
                assertThat(parked.wakeAt()).isBefore(clock.instant().plus(Duration.ofMinutes(1)));
                assertThat(parked.limits()).as("people's time").isEqualTo(Limits.NONE);
              });
      proxy.comeBack();
      Awaitility.await()
          .untilAsserted(
              () -> {
                assertThat(shaky.execute(call)).isInstanceOf(Result.Parked.class);
                assertThat(events(call)).containsExactly("approval.requested");
              });
    }
  }

  @Test
  void a_question_that_no_database_keeps_fails_at_once() {
    StepCall call = Calls.of("approval", Map.of("message", "may I\0?"));

    assertThat(approval.execute(call))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> {
              assertThat(failed.error().code()).isEqualTo("question-refused");
              assertThat(failed.error().kind()).isEqualTo(StepError.Kind.PERMANENT);
            });
    assertThat(count(call)).isZero();
  }

  @Test
  void a_question_is_taken_back_however_many_tries_that_takes() throws Exception {
    StepCall call = Calls.of("approval", Map.of());
    approval.execute(call);
    AtomicInteger cuts = new AtomicInteger();
    try (PostgresProxy proxy = PostgresProxy.of(fresh);
        Database through = Database.open(address(proxy.through(fresh)), 2)) {
      proxy.watch(
          new PostgresProxy.CommitWatch() {
            @Override
            public void before(PostgresProxy.Transaction transaction) {
              if (cuts.getAndIncrement() < 20) {
                throw new PostgresProxy.Cut();
              }
            }
          });
      over(through).stop(call);
    }
    assertThat(cuts).hasValueGreaterThan(20);
    String state =
        database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT state FROM approvals WHERE run_id = ?")
                        .bind(0, call.run())
                        .mapTo(String.class)
                        .one());
    assertThat(state).isEqualTo("void");
  }

  @Test
  void a_step_that_lost_its_run_stops_withdrawing_its_approval_request() throws Exception {
    StepCall call = Calls.of("approval", Map.of());
    try (PostgresProxy proxy = PostgresProxy.of(fresh);
        Database through = Database.open(address(proxy.through(fresh)), 2)) {
      ApprovalExecutor shaky = over(through);
      proxy.goAway();
      FutureTask<Object> stopping =
          new FutureTask<>(
              () -> {
                shaky.stop(call);
                return "taken back";
              });
      Thread thread = Thread.startVirtualThread(stopping);

      thread.interrupt();

      assertThatThrownBy(() -> stopping.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
    }
  }

  private ApprovalExecutor over(Database some) {
    return new ApprovalExecutor(new PostgresApprovalDesk(some.jdbi(), UUID::randomUUID), clock);
  }

  private static Database.Address address(TestDatabase some) {
    return new Database.Address(some.jdbcUrl(), some.user(), some.password());
  }

  private void vote(StepCall call, String user, String decision) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO approval_votes SELECT id, ?, ?, 'because', ? FROM approvals"
                        + " WHERE run_id = ?",
                    user,
                    decision,
                    clock.instant(),
                    call.run()));
  }

  private void settle(StepCall call, String state) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE approvals SET state = ?, decided_at = ? WHERE run_id = ?",
                    state,
                    clock.instant(),
                    call.run()));
  }

  private static int count(StepCall call) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT count(*) FROM approvals WHERE run_id = ?")
                    .bind(0, call.run())
                    .mapTo(Integer.class)
                    .one());
  }

  private static List<String> events(StepCall call) {
    return new EventLog(database.jdbi())
        .after(0, EventLog.Filter.ALL, 100).stream()
            .filter(e -> call.run().toString().equals(e.event().data().get("runId")))
            .map(e -> e.event().type())
            .toList();
  }
}
