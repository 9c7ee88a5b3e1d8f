package dev.slipway.postgres.runs;

import static dev.slipway.postgres.runs.RunFixture.LEASE;
import static dev.slipway.postgres.runs.RunFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunStore.CancelAnswer;
import dev.slipway.engine.execute.RunStore.Lease;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresRunsTest {
  private static final Owner A = new Owner("a", "1");
  private static final Owner B = new Owner("b", "1");

  private static Database database;
  private static Notifications notifications;
  private static PostgresRuns runs;

  @BeforeAll
  static void open() {
    database = MigratedDatabase.open();
    notifications = new Notifications(database);
    runs = new PostgresRuns(database, notifications, new SecretBox(new byte[32]));
  }

  @AfterAll
  static void close() {
    runs.close();
    notifications.close();
    database.close();
  }

  @BeforeEach
  void empty() {
    database.jdbi().useHandle(h -> h.execute("TRUNCATE runs, steps, attempts, events"));
  }

  @Test
  void a_run_comes_back_as_it_was_stored() {
    NewRun stored = RunFixture.run();
    runs.insert(List.of(stored));

    ClaimedRun claimed = claim(A);

    assertThat(claimed.id()).isEqualTo(stored.id());
    assertThat(claimed.inputs()).isEqualTo(stored.inputs());
    assertThat(claimed.before()).isEqualTo(RunState.PENDING);
    assertThat(claimed.epoch()).isEqualTo(1);
    assertThat(claimed.startedAt()).isEqualTo(NOW);
    assertThat(claimed.deadline()).isEqualTo(NOW.plus(Duration.ofMinutes(30)));
    assertThat(runs.definition(claimed.definitionHash()).workflow()).isEqualTo("make");
  }

  @Test
  void two_owners_never_hold_one_run() throws Exception {
    int count = 400;
    runs.insert(Stream.generate(RunFixture::run).limit(count).toList());
    List<UUID> claimed = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<ClaimedRun>>> claims = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Owner owner = i % 2 == 0 ? A : B;
        claims.add(() -> runs.claim(owner, 25, NOW, LEASE));
      }
      for (Future<List<ClaimedRun>> answer : threads.invokeAll(claims)) {
        answer.get().forEach(r -> claimed.add(r.id()));
      }
    }

    assertThat(claimed).doesNotHaveDuplicates();
    assertThat(runs.claim(A, 1000, NOW, LEASE)).hasSize(count - claimed.size());
  }

  private static final RunStore.Bounds THREE =
      new RunStore.Bounds(Optional.of(3), Optional.empty());

  @Test
  void all_replicas_together_work_on_no_more_runs_than_allowed() throws Exception {
    runs.insert(Stream.generate(RunFixture::run).limit(100).toList());
    List<ClaimedRun> claimed = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<ClaimedRun>>> claims = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Owner owner = i % 2 == 0 ? A : B;
        claims.add(() -> runs.claim(owner, 25, NOW, LEASE, THREE));
      }
      for (Future<List<ClaimedRun>> answer : threads.invokeAll(claims)) {
        claimed.addAll(answer.get());
      }
    }
    assertThat(claimed).hasSize(3);
  }

  @Test
  void a_run_that_waits_or_has_ended_leaves_its_place_to_another() {
    runs.insert(Stream.generate(RunFixture::run).limit(10).toList());
    List<ClaimedRun> first = runs.claim(A, 25, NOW, LEASE, THREE);
    assertThat(runs.claim(B, 25, NOW, LEASE, THREE)).isEmpty();
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET state = 'waiting', owner = NULL, claimable_at = ? WHERE id ="
                        + " ?",
                    NOW.plusSeconds(5),
                    first.getFirst().id()));
    assertThat(runs.claim(B, 25, NOW, LEASE, THREE)).hasSize(1);
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET state = 'succeeded', owner = NULL, claimable_at = NULL"
                        + " WHERE id = ?",
                    first.get(1).id()));
    assertThat(runs.claim(B, 25, NOW, LEASE, THREE)).hasSize(1);
  }

  @Test
  void the_place_of_a_dead_owner_is_free_when_its_lease_ends() {
    runs.insert(Stream.generate(RunFixture::run).limit(5).toList());
    assertThat(runs.claim(A, 25, NOW, LEASE, THREE)).hasSize(3);
    assertThat(runs.claim(B, 25, NOW.plus(LEASE), LEASE, THREE)).hasSize(3);
    assertThat(runs.claim(A, 25, NOW.plus(LEASE), LEASE, THREE)).isEmpty();
  }

  @Test
  void what_is_to_be_cancelled_needs_no_place() {
    List<NewRun> some = Stream.generate(RunFixture::run).limit(5).toList();
    runs.insert(some);
    List<UUID> held = runs.claim(A, 25, NOW, LEASE, THREE).stream().map(ClaimedRun::id).toList();
    UUID waiting =
        some.stream().map(NewRun::id).filter(id -> !held.contains(id)).findFirst().orElseThrow();
    runs.cancel(waiting, RunStore.Cancel.REQUESTED, NOW);
    assertThat(runs.claim(B, 25, NOW, LEASE, THREE))
        .extracting(ClaimedRun::id)
        .containsExactly(waiting);
  }

  @Test
  void a_run_that_was_made_under_a_longer_limit_gets_the_shorter_one_of_now() {
    runs.insert(List.of(RunFixture.run()));
    RunStore.Bounds minute =
        new RunStore.Bounds(Optional.empty(), Optional.of(Duration.ofMinutes(1)));
    assertThat(runs.claim(A, 1, NOW, LEASE, minute).getFirst().deadline())
        .isEqualTo(NOW.plus(Duration.ofMinutes(1)));
  }

  @Test
  void a_frozen_owner_that_wakes_up_changes_nothing() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun frozen = claim(A);
    ClaimedRun taken = runs.claim(B, 1, NOW.plus(LEASE), LEASE).getFirst();
    assertThat(taken.epoch()).isEqualTo(frozen.epoch() + 1);

    Outcome late = runs.write(RunFixture.ends(frozen, RunState.SUCCEEDED)).join();
    Map<UUID, ?> held = runs.heartbeat(A, Map.of(frozen.id(), frozen.epoch()), NOW);
    runs.abandon(A, Map.of(frozen.id(), frozen.epoch()), NOW);

    assertThat(late).isEqualTo(Outcome.FENCED);
    assertThat(held).isEmpty();
    assertThat(runs.write(RunFixture.ends(taken, RunState.SUCCEEDED)).join())
        .isEqualTo(Outcome.WRITTEN);
    assertThat(events("step.started")).isEqualTo(1);
  }

  @Test
  void a_write_that_was_overtaken_by_another_of_the_same_owner_is_refused() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    StepRecord step = StepRecord.pending("one").started("hash", NOW);

    assertThat(runs.write(RunFixture.steps(run, step)).join()).isEqualTo(Outcome.WRITTEN);
    assertThat(runs.write(RunFixture.steps(run, step)).join()).isEqualTo(Outcome.FENCED);
  }

  @Test
  void steps_come_back_with_the_next_claim() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    StepRecord parked =
        StepRecord.pending("one")
            .started("hash", NOW)
            .parked(
                NOW.plusSeconds(5),
                new StepRecord.Parking("timer", Map.of("since", 7L), StepExecutor.Limits.RUN));
    StepRecord done =
        StepRecord.pending("two")
            .started("hash2", NOW)
            .ended(StepState.SUCCEEDED, Map.of("url", "x\0y"), null, NOW);
    runs.write(RunFixture.steps(run, parked, done)).join();

    ClaimedRun again = runs.claim(B, 1, NOW.plus(LEASE), LEASE).getFirst();

    assertThat(again.before()).isEqualTo(RunState.RUNNING);
    assertThat(again.steps()).containsExactly(parked, done);
  }

  @Test
  void one_owner_never_claims_what_it_holds_even_after_its_lease() {
    runs.insert(List.of(RunFixture.run()));
    claim(A);

    assertThat(runs.claim(A, 10, NOW.plus(LEASE).plus(LEASE), LEASE)).isEmpty();
    assertThat(runs.nextDue(A)).isEmpty();
    assertThat(runs.nextDue(B)).contains(NOW.plus(LEASE));
  }

  @Test
  void runs_of_a_claim_whose_answer_was_lost_are_given_back_when_their_lease_has_ended() {
    runs.insert(List.of(RunFixture.run(), RunFixture.run()));
    List<ClaimedRun> claimed = runs.claim(A, 2, NOW, LEASE);
    Set<UUID> known = Set.of(claimed.getFirst().id());
    Instant ended = NOW.plus(LEASE);

    assertThat(runs.disown(A, known, ended.minusSeconds(1))).as("the lease goes on").isZero();
    assertThat(runs.disown(B, known, ended)).as("owned by another replica").isZero();
    assertThat(runs.disown(A, known, ended)).isEqualTo(1);
    assertThat(runs.claim(A, 2, ended, LEASE))
        .extracting(ClaimedRun::id)
        .containsExactly(claimed.getLast().id());
  }

  @Test
  void a_restarted_replica_takes_back_the_runs_of_its_former_self_at_once() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun before = claim(new Owner("a", "old"));

    assertThat(runs.release(new Owner("b", "new"), NOW)).isZero();
    assertThat(runs.release(new Owner("a", "new"), NOW)).isEqualTo(1);
    assertThat(claim(new Owner("a", "new")).epoch()).isEqualTo(before.epoch() + 1);
  }

  @Test
  void heartbeats_and_transitions_of_the_same_runs_never_wait_in_a_circle() throws Exception {
    runs.insert(Stream.generate(RunFixture::run).limit(300).toList());
    List<ClaimedRun> held = runs.claim(A, 300, NOW, LEASE);
    Map<UUID, Long> epochs = new HashMap<>();
    held.forEach(run -> epochs.put(run.id(), run.epoch()));
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Runnable beat =
          () -> {
            while (!over.get()) {
              runs.heartbeat(A, epochs, NOW.plus(LEASE));
            }
          };
      List<Future<?>> beating =
          List.of(threads.submit(beat), threads.submit(beat), threads.submit(beat));
      try {
        for (int version = 0; version < 60; version++) {
          int now = version;
          List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
          for (int i = 0; i < held.size(); i++) {
            Optional<RunWrite.RunChange> change =
                i % 2 == 0
                    ? Optional.empty()
                    : Optional.of(RunFixture.change(RunState.RUNNING, new RunWrite.Hold.Keep()));
            outcomes.add(runs.write(RunFixture.write(held.get(i), now, change)));
          }
          outcomes.forEach(o -> assertThat(o.join()).isEqualTo(Outcome.WRITTEN));
        }
      } finally {
        over.set(true);
      }
      for (Future<?> each : beating) {
        each.get();
      }
    }
  }

  @Test
  void a_locked_row_of_a_run_delays_neither_heartbeat_nor_giving_back() throws Exception {
    runs.insert(List.of(RunFixture.run(), RunFixture.run()));
    Map<UUID, Long> epochs = new HashMap<>();
    runs.claim(A, 2, NOW, LEASE).forEach(run -> epochs.put(run.id(), run.epoch()));
    UUID busy = epochs.keySet().iterator().next();
    Instant until = NOW.plus(LEASE).plusSeconds(10);
    try (Handle writing = database.jdbi().open()) {
      writing.begin();
      writing.execute("UPDATE runs SET signals = signals + 1 WHERE id = ?", busy);

      Map<UUID, RunStore.Held> held =
          CompletableFuture.supplyAsync(() -> runs.heartbeat(A, epochs, until))
              .get(10, TimeUnit.SECONDS);
      Set<UUID> left =
          CompletableFuture.supplyAsync(() -> runs.abandon(A, epochs, until))
              .get(10, TimeUnit.SECONDS);

      assertThat(held).containsOnlyKeys(epochs.keySet());
      assertThat(held)
          .allSatisfy(
              (id, answer) ->
                  assertThat(answer.lease())
                      .isEqualTo(id.equals(busy) ? Lease.AS_BEFORE : Lease.PROLONGED));
      assertThat(left).containsExactly(busy);
      writing.commit();
    }
    RunStore.Held after = runs.heartbeat(A, epochs, until).get(busy);
    assertThat(after).isEqualTo(new RunStore.Held(Optional.empty(), 1, Lease.PROLONGED));
    assertThat(runs.abandon(A, epochs, until)).isEmpty();
  }

  @Test
  void runs_of_a_dead_owner_do_not_wait_behind_a_long_queue() {
    runs.insert(Stream.generate(RunFixture::run).limit(3).toList());
    List<UUID> interrupted =
        runs.claim(A, 3, NOW, LEASE).stream().map(ClaimedRun::id).sorted().toList();
    runs.insert(
        Stream.generate(() -> RunFixture.run(NewRun.Subject.NONE, NOW.plusSeconds(1)))
            .limit(5_000)
            .toList());
    Instant quick = NOW.plus(LEASE).minusMillis(500);
    assertThat(runs.claim(B, 10, quick, LEASE)).hasSize(10);

    Set<UUID> next = new HashSet<>();
    for (int i = 0; i < 12; i++) { // every 100 ms
      Instant now = NOW.plus(LEASE).plusMillis(100 * i);
      runs.claim(B, 10, now, LEASE).forEach(run -> next.add(run.id()));
    }

    assertThat(next).hasSize(120).containsAll(interrupted);
  }

  @Test
  void a_heartbeat_needs_none_of_the_connections_that_others_use_up() {
    try (Database small = Database.open(database.address(), 1);
        PostgresRuns crowded =
            new PostgresRuns(small, notifications, new SecretBox(new byte[32]))) {
      crowded.insert(List.of(RunFixture.run()));
      ClaimedRun run = crowded.claim(A, 1, NOW, LEASE).getFirst();
      try (Handle all = small.jdbi().open()) {
        Map<UUID, Long> epochs = Map.of(run.id(), run.epoch());
        assertThat(crowded.heartbeat(A, epochs, NOW.plus(LEASE))).hasSize(1);
        assertThat(all.isClosed()).isFalse();
      }
    }
  }

  @Test
  void a_heartbeat_whose_connection_died_meanwhile_takes_another_one() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    Map<UUID, Long> epochs = Map.of(run.id(), run.epoch());
    assertThat(runs.heartbeat(A, epochs, NOW.plus(LEASE))).hasSize(1);
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                        + " current_database() AND application_name = 'slipway heartbeat'"));
    assertThat(runs.heartbeat(A, epochs, NOW.plus(LEASE))).hasSize(1);
  }

  @Test
  void a_heartbeat_prolongs_the_lease_and_brings_the_cancel() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    runs.cancel(run.id(), Cancel.REQUESTED, NOW);

    var held = runs.heartbeat(A, Map.of(run.id(), run.epoch()), NOW.plus(LEASE).plusSeconds(10));

    assertThat(held.get(run.id()).cancel()).contains(Cancel.REQUESTED);
    assertThat(held.get(run.id()).signals()).isEqualTo(1);
    assertThat(runs.claim(B, 1, NOW.plus(LEASE), LEASE)).isEmpty();
    assertThat(runs.claim(B, 1, NOW.plus(LEASE).plusSeconds(10), LEASE)).hasSize(1);
  }

  @Test
  void a_heartbeat_that_was_given_up_and_arrives_late_shortens_no_lease() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    Map<UUID, Long> epochs = Map.of(run.id(), run.epoch());
    runs.heartbeat(A, epochs, NOW.plus(LEASE).plusSeconds(10));

    runs.heartbeat(A, epochs, NOW.plus(LEASE).plusSeconds(5));

    assertThat(runs.claim(B, 1, NOW.plus(LEASE).plusSeconds(9), LEASE)).isEmpty();
  }

  @Test
  void a_signal_between_the_last_look_and_the_park_is_not_lost() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    runs.cancel(run.id(), Cancel.REQUESTED, NOW);

    runs.write(RunFixture.parks(run, NOW.plus(Duration.ofDays(3)), run.signals())).join();

    ClaimedRun again = claim(B);
    assertThat(again.before()).isEqualTo(RunState.WAITING);
    assertThat(again.cancel()).contains(Cancel.REQUESTED);
  }

  @Test
  void a_parked_run_is_claimable_when_its_timer_is_due_or_it_is_cancelled() {
    runs.insert(List.of(RunFixture.run(), RunFixture.run()));
    List<ClaimedRun> both = runs.claim(A, 2, NOW, LEASE);
    both.forEach(r -> runs.write(RunFixture.parks(r, NOW.plusSeconds(60), 0)).join());

    assertThat(runs.claim(A, 2, NOW.plusSeconds(59), LEASE)).isEmpty();
    assertThat(runs.nextDue(A)).contains(NOW.plusSeconds(60));
    runs.cancel(both.getFirst().id(), Cancel.FORCED, NOW);
    assertThat(runs.claim(A, 2, NOW, LEASE)).hasSize(1);
    assertThat(runs.claim(A, 2, NOW.plusSeconds(60), LEASE)).hasSize(1);
  }

  @Test
  void the_deadline_stands_still_while_people_are_waited_for() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    var pause =
        new RunWrite.RunChange(
            RunState.WAITING,
            new RunWrite.Hold.GiveBack(NOW.plus(Duration.ofDays(1)), 0),
            Map.of(),
            Map.of(),
            null,
            null,
            RunWrite.Deadline.STANDS_STILL);
    runs.write(RunFixture.write(run, run.version(), Optional.of(pause))).join();

    ClaimedRun again = runs.claim(A, 1, NOW.plus(Duration.ofDays(1)), LEASE).getFirst();

    assertThat(again.deadline()).isEqualTo(run.deadline().plus(Duration.ofDays(1)));
  }

  @Test
  void a_finished_run_cannot_be_cancelled_nor_claimed() {
    runs.insert(List.of(RunFixture.run()));
    ClaimedRun run = claim(A);
    runs.write(RunFixture.ends(run, RunState.SUCCEEDED)).join();

    assertThat(runs.cancel(run.id(), Cancel.REQUESTED, NOW))
        .isEqualTo(CancelAnswer.FINISHED_ALREADY);
    assertThat(runs.cancel(UUID.randomUUID(), Cancel.REQUESTED, NOW))
        .isEqualTo(CancelAnswer.UNKNOWN_RUN);
    assertThat(runs.claim(B, 1, NOW.plus(Duration.ofDays(1)), LEASE)).isEmpty();
  }

  @Test
  void many_transitions_share_transactions_and_a_fenced_one_leaves_the_others_alone() {
    runs.insert(Stream.generate(RunFixture::run).limit(300).toList());
    List<ClaimedRun> claimed = runs.claim(A, 300, NOW, LEASE);
    ClaimedRun lost = claimed.getFirst();
    database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE runs SET epoch = epoch + 1 WHERE id = ?", lost.id()));

    var outcomes =
        claimed.stream().map(r -> runs.write(RunFixture.ends(r, RunState.SUCCEEDED))).toList();

    Set<Outcome> others = new HashSet<>();
    outcomes.stream().skip(1).forEach(o -> others.add(o.join()));
    assertThat(outcomes.getFirst().join()).isEqualTo(Outcome.FENCED);
    assertThat(others).containsExactly(Outcome.WRITTEN);
    assertThat(events("step.started")).isEqualTo(299);
  }

  @Test
  void one_transition_that_the_database_refuses_fails_alone() {
    runs.insert(List.of(RunFixture.run(), RunFixture.run(), RunFixture.run()));
    List<ClaimedRun> claimed = runs.claim(A, 3, NOW, LEASE);
    StepRecord bad =
        new StepRecord(
            null,
            StepState.RUNNING,
            1,
            null,
            null,
            null,
            null,
            null,
            StepRecord.Origin.OWN,
            NOW,
            null);

    var refused = runs.write(RunFixture.steps(claimed.get(0), bad));
    var good = runs.write(RunFixture.ends(claimed.get(1), RunState.SUCCEEDED));
    var alsoGood = runs.write(RunFixture.ends(claimed.get(2), RunState.SUCCEEDED));

    assertThat(good.join()).isEqualTo(Outcome.WRITTEN);
    assertThat(alsoGood.join()).isEqualTo(Outcome.WRITTEN);
    assertThat(refused).failsWithin(Duration.ofSeconds(10));
  }

  private static ClaimedRun claim(Owner owner) {
    return runs.claim(owner, 1, NOW, LEASE).getFirst();
  }

  private static int events(String type) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT count(*) FROM events WHERE type = ?")
                    .bind(0, type)
                    .mapTo(Integer.class)
                    .one());
  }
}
