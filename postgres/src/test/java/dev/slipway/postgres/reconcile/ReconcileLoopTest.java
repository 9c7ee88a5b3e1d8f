package dev.slipway.postgres.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration NEVER = Duration.ofHours(1);

  private final Database database = MigratedDatabase.open();
  private final Notifications notifications = new Notifications(database);
  private final SettableClock clock = new SettableClock();
  private final BlockingQueue<String> turns = new LinkedBlockingQueue<>();
  private final BlockingQueue<Wake> wakes = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  private interface Turn {
    Next take(Handle tx, String key, Wake wake);
  }

  private Reconciler reconciler(Turn turn) {
    return reconciler("toy", 2, turn);
  }

  private Reconciler reconciler(String kind, int width, Turn turn) {
    return new Reconciler() {
      @Override
      public String kind() {
        return kind;
      }

      @Override
      public int width() {
        return width;
      }

      @Override
      public Next reconcile(Handle tx, String key, Wake wake) {
        wakes.add(wake);
        turns.add(key);
        return turn.take(tx, key, wake);
      }
    };
  }

  private ReconcileLoop loop(Reconciler reconciler, Duration poll) {
    return loop(database, notifications, reconciler, poll);
  }

  private ReconcileLoop loop(
      Database of, Notifications notifications, Reconciler reconciler, Duration poll) {
    return new ReconcileLoop(
        new ReconcileLoop.Parts(of.jdbi(), notifications, clock, poll, Threads.OF_MACHINE),
        List.of(reconciler));
  }

  private void signal(String... keys) {
    database.jdbi().useTransaction(h -> Signals.add(h, "toy", List.of(keys), clock.instant()));
  }

  private void signalItem(String key, String item, UUID run) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO signals (kind, key, item, run, at) VALUES ('toy', ?, ?, ?, now())",
                    key,
                    item,
                    run));
  }

  private long count(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }

  private String next() throws InterruptedException {
    String key = turns.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(key).as("a key that had its turn").isNotNull();
    return key;
  }

  @Test
  void a_turn_takes_the_signals_of_its_key_and_writes_its_timer() {
    Instant due = clock.instant().plusSeconds(30);
    ReconcileLoop loop = loop(reconciler((tx, key, wake) -> new Next.At(due)), NEVER);
    signal("a", "a", "b");

    assertThat(loop.advanceDue()).isEqualTo(2);

    assertThat(turns).containsExactly("a", "b");
    assertThat(count("SELECT count(*) FROM signals")).isZero();
    assertThat(count("SELECT count(*) FROM timers WHERE failures = 0")).isEqualTo(2);
    assertThat(loop.advanceDue()).isZero();
    clock.advance(Duration.ofSeconds(31));
    assertThat(loop.advanceDue()).isEqualTo(2);
  }

  @Test
  void signals_that_name_items_wake_those_and_a_signal_without_one_wakes_everything() {
    ReconcileLoop loop = loop(reconciler((tx, key, wake) -> Next.DONE), NEVER);
    UUID run = UUID.randomUUID();
    signalItem("a", "one", run);
    signalItem("a", "two", run);
    loop.advanceDue();
    signalItem("a", "one", run);
    signal("a");
    loop.advanceDue();

    assertThat(wakes)
        .containsExactly(
            new Wake.Items(Set.of("one", "two"), Set.of(run)), new Wake.Everything(Set.of(run)));
  }

  @Test
  void a_turn_for_some_items_keeps_the_timer_of_the_turn_for_everything() {
    Instant due = clock.instant().plusSeconds(30);
    ReconcileLoop loop =
        loop(
            reconciler(
                (tx, key, wake) ->
                    switch (wake) {
                      case Wake.Everything everything -> new Next.At(due);
                      case Wake.Items items -> Next.DONE;
                    }),
            NEVER);
    signal("a");
    loop.advanceDue();
    signalItem("a", "one", UUID.randomUUID());
    loop.advanceDue();

    assertThat(count("SELECT count(*) FROM timers")).isEqualTo(1);
  }

  @Test
  void what_a_failing_turn_wrote_is_undone_its_signals_stay_and_it_waits_longer_each_time() {
    AtomicInteger tries = new AtomicInteger();
    ReconcileLoop loop =
        loop(
            reconciler(
                (tx, key, wake) -> {
                  tx.execute("INSERT INTO leases VALUES ('written by the turn', 'me', 1, now())");
                  if (tries.incrementAndGet() < 4) {
                    throw new IllegalStateException("not yet\nsecond line");
                  }
                  return Next.DONE;
                }),
            NEVER);
    signal("a");
    for (int failures = 1; failures <= 3; failures++) {
      loop.advanceDue();
      assertThat(count("SELECT failures FROM timers")).isEqualTo(failures);
      assertThat(count("SELECT count(*) FROM signals")).isEqualTo(1);
      assertThat(count("SELECT count(*) FROM leases")).isZero();
      assertThat(count("SELECT count(*) FROM timers WHERE error LIKE '%: not yet'")).isEqualTo(1);
      signal("b");
      assertThat(loop.health()).contains("1 keys cannot be reconciled, see table timers");
      clock.advance(Backoff.after(failures).minusMillis(1));
      assertThat(turns.stream().filter("a"::equals).count()).isEqualTo(failures);
      database.jdbi().useHandle(h -> h.execute("DELETE FROM signals WHERE key = 'b'"));
      assertThat(loop.advanceDue()).isZero();
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(loop.advanceDue()).isEqualTo(1);
    assertThat(count("SELECT count(*) FROM timers")).isZero();
    assertThat(count("SELECT count(*) FROM signals")).isZero();
    assertThat(count("SELECT count(*) FROM leases")).isEqualTo(1);
    assertThat(loop.health()).contains("ok");
  }

  @Test
  void a_key_that_a_request_holds_is_left_alone_and_delays_no_other() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    Thread request =
        Thread.ofVirtual()
            .start(
                () ->
                    database
                        .jdbi()
                        .useTransaction(
                            h -> {
                              KeyLock.take(h, "toy", "locked");
                              held.countDown();
                              awaitQuietly(free);
                            }));
    held.await();
    signal("locked");
    try (ReconcileLoop loop =
        loop(reconciler("toy", 1, (tx, key, wake) -> Next.DONE), NEVER).start()) {
      signal("a", "b", "c");
      assertThat(Set.of(next(), next(), next())).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(count("SELECT count(*) FROM signals WHERE key = 'locked'")).isEqualTo(1);
      free.countDown();
      assertThat(next()).isEqualTo("locked");
    }
    request.join();
  }

  @Test
  void a_row_that_another_transaction_holds_costs_a_turn_a_second_and_no_failure()
      throws Exception {
    database
        .jdbi()
        .useHandle(h -> h.execute("INSERT INTO leases VALUES ('row', 'other', 1, now())"));
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Thread other =
        Thread.ofVirtual()
            .start(
                () ->
                    database
                        .jdbi()
                        .useTransaction(
                            h -> {
                              h.execute("UPDATE leases SET epoch = 2 WHERE name = 'row'");
                              held.countDown();
                              awaitQuietly(free);
                            }));
    held.await();
    ReconcileLoop loop =
        loop(
            reconciler(
                (tx, key, wake) -> {
                  tx.execute("UPDATE leases SET epoch = 3 WHERE name = 'row'");
                  return Next.DONE;
                }),
            NEVER);
    signal("a");
    assertThat(loop.advanceDue()).isZero();
    assertThat(count("SELECT count(*) FROM timers")).isZero();
    assertThat(count("SELECT count(*) FROM signals")).isEqualTo(1);
    free.countDown();
    other.join();
    assertThat(loop.advanceDue()).isEqualTo(1);
  }

  @Test
  void a_key_whose_turn_takes_long_delays_no_other() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    Turn turn =
        (tx, key, wake) -> {
          if (key.equals("slow")) {
            awaitQuietly(free);
          }
          return Next.DONE;
        };
    try (ReconcileLoop loop = loop(reconciler(turn), NEVER).start()) {
      signal("slow");
      assertThat(next()).isEqualTo("slow");
      for (int i = 0; i < 20; i++) {
        signal("quick");
        assertThat(next()).isEqualTo("quick");
      }
      free.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_signal_whose_notification_was_lost_is_found_by_polling() throws Exception {
    try (ReconcileLoop loop =
        loop(reconciler((tx, key, wake) -> Next.DONE), Duration.ofMillis(100)).start()) {
      signalItem(
          "a", "one", UUID.randomUUID()); // a crash between commit and NOTIFY looks like this
      assertThat(next()).isEqualTo("a");
    }
  }

  @Test
  void a_timer_is_found_without_a_signal() throws Exception {
    try (ReconcileLoop loop =
        loop(reconciler((tx, key, wake) -> Next.DONE), Duration.ofMillis(100)).start()) {
      database
          .jdbi()
          .useTransaction(
              h -> {
                KeyLock.take(h, "toy", "a");
                Signals.later(h, "toy", "a", clock.instant().plusSeconds(10));
              });
      clock.advance(Duration.ofSeconds(11));
      assertThat(next()).isEqualTo("a");
      assertThat(wakes.take()).isEqualTo(new Wake.Everything(Set.of()));
    }
  }

  @Test
  void another_replica_is_notified_of_a_signal_and_two_replicas_never_share_a_key()
      throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Turn alone =
        (tx, key, wake) -> {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          tx.execute("SELECT pg_sleep(0.01)");
          inside.decrementAndGet();
          return Next.DONE;
        };
    try (Database second = Database.open(database.address(), 6);
        Notifications notifications = new Notifications(second);
        ReconcileLoop here = loop(reconciler(alone), NEVER).start();
        ReconcileLoop there = loop(second, notifications, reconciler(alone), NEVER).start()) {
      for (int i = 0; i < 50; i++) {
        signal("one key");
      }
      await().atMost(LONG).until(() -> count("SELECT count(*) FROM signals") == 0);
    }
    assertThat(most.get()).isEqualTo(1);
  }

  @Test
  void a_replica_without_a_reconciler_takes_no_turn_and_counts_waiting_keys() {
    ReconcileLoop loop = loop(reconciler("other", 1, (tx, key, wake) -> Next.DONE), NEVER);
    signal("a", "b");

    assertThat(loop.advanceDue()).isZero();
    assertThat(count("SELECT count(*) FROM signals")).isEqualTo(2);
    assertThat(loop.health())
        .contains("2 signals of kind 'toy' wait for a replica that reconciles it");
  }

  @Test
  void events_of_a_turn_are_committed_with_it() {
    Event event = new Event("toy.moved", null, null, null, "toy", clock.instant(), Map.of());
    ReconcileLoop loop =
        loop(
            reconciler(
                (tx, key, wake) -> {
                  EventLog.append(tx, List.of(event));
                  if (key.equals("broken")) {
                    throw new IllegalStateException("no");
                  }
                  return Next.DONE;
                }),
            NEVER);
    signal("broken", "whole");
    loop.advanceDue();

    assertThat(count("SELECT count(*) FROM events WHERE type = 'toy.moved'")).isEqualTo(1);
  }

  @Test
  void a_wake_up_of_a_replica_of_schema_9_becomes_a_signal() {
    UUID application = UUID.randomUUID();
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO wakeups (application_id, at) VALUES (?, now() + interval '1 h')",
                    application));
    assertThat(
            count(
                "SELECT count(*) FROM signals WHERE kind = 'application' AND item IS NULL"
                    + " AND key = '"
                    + application
                    + "'"))
        .isEqualTo(1);
  }

  @Test
  void many_keys_with_many_signals_all_have_their_turn() {
    ReconcileLoop loop = loop(reconciler((tx, key, wake) -> Next.DONE), NEVER);
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO signals (kind, key, at)"
                        + " SELECT 'toy', 'key ' || i % 200, now() FROM generate_series(1, 5000) i"));
    int done = 0;
    int last;
    do {
      last = loop.advanceDue();
      done += last;
    } while (last > 0);
    assertThat(done).isEqualTo(200);
    assertThat(count("SELECT count(*) FROM signals")).isZero();
  }

  @Test
  void an_error_in_a_turn_ends_the_replica_by_the_name_of_the_thread() {
    CountDownLatch died = new CountDownLatch(1);
    Supervision supervision = new Supervision(died::countDown);
    signal("a");
    try (ReconcileLoop loop =
        new ReconcileLoop(
                new ReconcileLoop.Parts(
                    database.jdbi(), notifications, clock, NEVER, Threads.supervised(supervision)),
                List.of(
                    reconciler(
                        (tx, key, wake) -> {
                          throw new AssertionError("a defect");
                        })))
            .start()) {
      await().atMost(LONG).until(() -> supervision.death().isPresent());
      assertThat(supervision.death().orElseThrow().thread()).startsWith("reconcile toy ");
    }
  }
}
