package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.leases.Leases;
import dev.slipway.postgres.runs.PostgresRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work whose notification was lost is found by polling; and signals that cross each other. */
class LostSignalsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private Bench bench;
  private Bench.Replica deaf;
  private Notifications elsewhere;
  private PostgresRuns others;

  /**
   * A replica whose connection for notifications is gone, and a store whose notifications miss it.
   */
  @BeforeEach
  void start() {
    bench = new Bench();
    deaf = bench.replica("a");
    deaf.notifications.close();
    elsewhere = new Notifications(bench.database);
    others = new PostgresRuns(bench.database, elsewhere, new SecretBox(new byte[32]));
  }

  @AfterEach
  void stop() {
    others.close();
    elsewhere.close();
    bench.close();
  }

  @Test
  void a_run_whose_wake_up_was_lost_is_found_by_the_next_look() {
    NewRun run = bench.run("- {name: work, type: probe}");
    others.insert(List.of(run));

    bench.turn(POLL);

    bench.awaitState(run.id(), "succeeded");
  }

  @Test
  void a_cancel_whose_wake_up_was_lost_arrives_with_the_next_heartbeat() {
    bench.probe.on(
        "work",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    UUID run = bench.start(deaf, "- {name: work, type: probe}");
    bench.turn(POLL);
    await().until(() -> bench.probe.names().contains("work/1"));
    others.cancel(run, Cancel.REQUESTED, bench.clock.instant());

    bench.turn(HEARTBEAT);

    bench.awaitState(run, "cancelled");
  }

  @Test
  void a_retry_that_is_due_and_a_cancel_have_one_winner() throws InterruptedException {
    bench.probe.on(
        "work",
        call ->
            call.attempt() > 1
                ? Probe.DONE
                : new Result.Failed(
                    new StepError("connect", "away", StepError.Kind.TRANSIENT, null), Map.of()));
    Bench.Replica hearing = bench.replica("b");
    NewRun first = bench.run("- {name: work, type: probe, retry: {attempts: 2, delay: 10s}}");
    List<NewRun> runs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      runs.add(bench.copy(first));
    }
    hearing.runs.insert(runs);
    await().until(() -> bench.count("SELECT count(*) FROM runs WHERE state = 'waiting'") == 60);

    Thread cancelling =
        Thread.startVirtualThread(
            () ->
                runs.forEach(
                    run -> hearing.runs.cancel(run.id(), Cancel.REQUESTED, bench.clock.instant())));
    bench.turn(Duration.ofSeconds(15));
    cancelling.join();

    await()
        .until(
            () ->
                bench.count(
                        "SELECT count(*) FROM runs WHERE state IN ('succeeded', 'cancelled')"
                            + " AND owner IS NULL AND claimable_at IS NULL")
                    == 60);
    assertThat(bench.probe.names().stream().filter("work/2"::equals).count())
        .as("second attempts, against runs that may have had one")
        .isGreaterThanOrEqualTo(bench.count("SELECT count(*) FROM runs WHERE state = 'succeeded'"));
    List<String> keys = bench.probe.keys();
    assertThat(new HashSet<>(keys)).as("no attempt was begun twice").hasSameSizeAs(keys);
    assertThat(
            bench.count(
                "SELECT count(*) FROM events"
                    + " WHERE type IN ('workflow.completed', 'workflow.cancelled')"))
        .as("every run ended once")
        .isEqualTo(60);
  }

  @Test
  void a_clock_that_jumps_ahead_past_the_lease_repeats_nothing_under_another_key() {
    CountDownLatch release = new CountDownLatch(1);
    bench.probe.on(
        "one",
        call -> {
          release.await();
          return Probe.DONE;
        });
    Bench.Replica b = bench.replica("b");
    UUID run = bench.start(b, "- {name: one, type: probe}\n- {name: two, type: probe}");
    await().until(() -> bench.probe.names().contains("one/1"));

    bench.turn(Duration.ofMinutes(2));
    release.countDown();

    bench.awaitState(run, "succeeded", Duration.ofSeconds(1));
    assertThat(new HashSet<>(bench.probe.keys()))
        .containsExactlyInAnyOrder(run + "/one/1", run + "/two/1");
    assertThat(bench.eventTypes().stream().filter("workflow.completed"::equals)).hasSize(1);
  }

  @Test
  void a_clock_that_jumps_back_delays_timers_and_loses_nothing() {
    bench.probe.on(
        "work",
        call ->
            call.attempt() > 1
                ? Probe.DONE
                : new Result.Failed(
                    new StepError("connect", "away", StepError.Kind.TRANSIENT, null), Map.of()));
    Bench.Replica b = bench.replica("b");
    UUID run = bench.start(b, "- {name: work, type: probe, retry: {attempts: 2, delay: 10s}}");
    bench.awaitState(run, "waiting");

    bench.clock.set(bench.clock.instant().minusSeconds(3600));
    bench.alarms.clockMoved();
    UUID later = bench.start(b, "- {name: other, type: probe}");
    bench.awaitState(later, "succeeded");
    assertThat(bench.state(run)).isEqualTo("waiting");
    bench.turn(Duration.ofSeconds(3620));

    bench.awaitState(run, "succeeded");
  }

  @Test
  void a_clock_that_leaps_ahead_and_comes_back_stops_neither_timers_nor_heartbeats_nor_takeover() {
    Bench.Replica b = bench.replica("b");
    bench.probe.on("work", LostSignalsTest::secondTime);
    bench.probe.on(
        "long",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    long transaction = bench.count("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint");
    bench.turn(HOUR);
    DatabaseClock.Return leap = new DatabaseClock.Return(bench.clock.instant(), HOUR, transaction);
    UUID retried = bench.start(b, "- {name: work, type: probe, retry: {attempts: 2, delay: 10s}}");
    bench.awaitState(retried, "waiting");
    UUID executing = bench.start(b, "- {name: long, type: probe}");
    await().until(() -> bench.probe.names().contains("long/1"));
    UUID ofDead = claimedByOneThatDies(b);

    comeBack(b, leap);

    bench.pass(executing, Duration.ofSeconds(12));
    bench.awaitState(retried, "succeeded");
    bench.pass(executing, Bench.LEASE.multipliedBy(2));
    bench.awaitState(ofDead, "succeeded");
    assertThat(bench.state(executing)).isEqualTo("running");
    assertThat(bench.probe.names().stream().filter("long/1"::equals)).hasSize(1);
  }

  @Test
  void the_time_limit_of_a_run_that_began_in_a_leap_counts_from_its_beginning() {
    Bench.Replica b = bench.replica("b");
    bench.probe.on(
        "long",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    long transaction = bench.count("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint");
    bench.turn(HOUR);
    DatabaseClock.Return leap = new DatabaseClock.Return(bench.clock.instant(), HOUR, transaction);
    NewRun limited = bench.run("- {name: long, type: probe}", Duration.ofSeconds(20));
    b.runs.insert(List.of(limited));
    await().until(() -> bench.probe.names().contains("long/1"));

    comeBack(b, leap);
    String mended = "SELECT deadline_at = started_at + interval '20 seconds' AND started_at < '%s'";
    await()
        .untilAsserted(
            () -> {
              b.runs.clockReturned(leap, bench.clock.instant(), Bench.LEASE);
              assertThat(
                      bench.text(
                          mended.formatted(leap.first()) + " FROM runs WHERE id = ?", limited.id()))
                  .as("the row too, for a replica that takes the run over")
                  .isEqualTo("t");
            });
    Instant back = bench.clock.instant();
    bench.awaitState(limited.id(), "failed", Duration.ofSeconds(1));
    assertThat(Duration.between(back, bench.clock.instant()))
        .isBetween(Duration.ofSeconds(19), HOUR.dividedBy(2));
  }

  @Test
  void an_approval_that_was_asked_for_in_a_leap_expires_in_its_own_time() {
    Bench.Replica b = bench.replica("b");
    long transaction = bench.count("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint");
    Duration leapt = Duration.ofDays(2);
    bench.turn(leapt);
    DatabaseClock.Return leap = new DatabaseClock.Return(bench.clock.instant(), leapt, transaction);
    UUID asking = bench.start(b, "- {name: ask, type: approval}");
    bench.awaitState(asking, "waiting");

    comeBack(b, leap);
    b.runs.clockReturned(leap, bench.clock.instant(), Bench.LEASE);
    bench.turn(HOUR.minusMinutes(1));
    assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", asking))
        .isEqualTo("pending");
    bench.turn(Duration.ofMinutes(2));
    bench.awaitState(asking, "failed", Duration.ofSeconds(1));
    assertThat(bench.text("SELECT state FROM approvals WHERE run_id = ?", asking))
        .isEqualTo("expired");
  }

  @Test
  void a_lease_of_a_poller_that_was_taken_in_a_leap_ends_soon_after_it() {
    Bench.Replica b = bench.replica("b");
    long transaction = bench.count("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint");
    bench.turn(HOUR);
    DatabaseClock.Return leap = new DatabaseClock.Return(bench.clock.instant(), HOUR, transaction);
    try (Leases dead = leases("dead");
        Leases next = leases("next")) {
      assertThat(dead.hold("poller")).isPresent();
      comeBack(b, leap);
      assertThat(next.hold("poller")).isEmpty();
      bench.clock.advance(Bench.LEASE.multipliedBy(2));

      assertThat(next.hold("poller")).isPresent();
    }
  }

  private Leases leases(String owner) {
    return new Leases(
        new Leases.Parts(bench.database, bench.clock, owner, Threads.OF_MACHINE),
        Leases.Terms.DEFAULT);
  }

  @Test
  void a_pause_over_the_end_of_a_leap_takes_nothing_off_the_time_limit() {
    Bench.Replica b = bench.replica("b");
    long transaction = bench.count("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint");
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch leapt = new CountDownLatch(1);
    bench.probe.on(
        "work",
        call -> {
          began.countDown();
          leapt.await();
          return Probe.DONE;
        });
    UUID run =
        bench.start(
            b,
            "- {name: work, type: probe}\n- {name: ask, type: approval}\n- {name: end, type: probe}");
    await().until(() -> began.getCount() == 0);
    Duration ahead = Duration.ofMinutes(20);
    bench.turn(ahead);
    DatabaseClock.Return leap = new DatabaseClock.Return(bench.clock.instant(), ahead, transaction);
    leapt.countDown();
    bench.awaitState(run, "waiting", Duration.ofSeconds(1));

    comeBack(b, leap);
    bench.database.jdbi().useHandle(h -> h.execute("UPDATE approvals SET state = 'granted'"));
    bench.signal(run);

    bench.awaitState(run, "succeeded", Duration.ofSeconds(1));
    String whole =
        "SELECT deadline_at >= started_at + interval '30 minutes' FROM runs WHERE id = ?";
    assertThat(bench.text(whole, run)).isEqualTo("t");
  }

  private void comeBack(Bench.Replica replica, DatabaseClock.Return leap) {
    bench.clock.set(bench.clock.instant().minus(leap.by()));
    replica.runs.clockReturned(leap, bench.clock.instant(), Bench.LEASE);
    bench.alarms.clockWentBack();
  }

  private static Result secondTime(StepCall call) {
    return call.attempt() > 1
        ? Probe.DONE
        : new Result.Failed(
            new StepError("connect", "away", StepError.Kind.TRANSIENT, null), Map.of());
  }

  /** A run whose lease a dead replica holds; the replica that had it before has lost it. */
  private UUID claimedByOneThatDies(Bench.Replica before) {
    CountDownLatch once = new CountDownLatch(1);
    bench.probe.on(
        "orphan",
        call -> {
          if (once.getCount() > 0) {
            once.countDown();
            new CountDownLatch(1).await();
          }
          return Probe.DONE;
        });
    UUID run = bench.start(before, "- {name: orphan, type: probe}");
    await().until(() -> once.getCount() == 0);
    bench
        .database
        .jdbi()
        .useHandle(
            h ->
                h.execute("UPDATE runs SET owner = 'dead/1', epoch = epoch + 1 WHERE id = ?", run));
    return run;
  }
}
