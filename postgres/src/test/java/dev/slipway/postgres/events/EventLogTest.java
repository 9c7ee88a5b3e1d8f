package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.RootColumn;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private static final Instant AT = Instant.parse("2030-01-01T12:00:00Z");
  private static TestDatabase near;
  private static Database database;
  private static EventLog log;

  @BeforeAll
  static void open() {
    near = MigratedDatabase.fresh();
    database = Database.open(MigratedDatabase.address(near), 10);
    log = new EventLog(database.jdbi());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void a_reader_who_has_seen_an_id_never_misses_a_smaller_one() throws Exception {
    long start = log.newest();
    int writers = 6;
    int each = 60;
    List<Long> seen = new ArrayList<>();
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> reader =
          threads.submit(
              () -> {
                while (seen.size() < writers * each * 2 && !done.get()) {
                  long last = seen.isEmpty() ? start : seen.getLast();
                  log.after(last, EventLog.Filter.ALL, 1000).forEach(e -> seen.add(e.id()));
                }
              });
      CountDownLatch go = new CountDownLatch(1);
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        all.add(
            threads.submit(
                () -> {
                  go.await();
                  for (int i = 0; i < each; i++) {
                    log.append(List.of(event("a", "t1"), event("b", "t1")));
                  }
                  return null;
                }));
      }
      go.countDown();
      for (Future<?> writer : all) {
        writer.get();
      }
      reader.get(30, TimeUnit.SECONDS);
      done.set(true);
    }

    assertThat(seen).hasSize(writers * each * 2).isSorted().doesNotHaveDuplicates();
    assertThat(log.after(start, EventLog.Filter.ALL, 10_000)).hasSize(writers * each * 2);
  }

  @Test
  void filters_by_application_type_and_team() {
    long start = log.newest();
    log.append(List.of(event("shop", "t1"), event("blog", "t2"), event("everybody", null)));

    assertThat(texts(start, new EventLog.Filter("shop", null, null, null))).containsExactly("shop");
    assertThat(texts(start, new EventLog.Filter(null, null, null, Set.of("t2"))))
        .containsExactly("blog", "everybody");
    assertThat(texts(start, new EventLog.Filter(null, null, Set.of("other"), null))).isEmpty();
    assertThat(texts(start, new EventLog.Filter(null, "default", Set.of("spec.created"), null)))
        .hasSize(3);
  }

  @Test
  void a_rolled_back_transaction_appends_nothing() {
    long start = log.newest();
    database
        .jdbi()
        .useTransaction(
            h -> {
              EventLog.append(h, List.of(event("lost", null)));
              h.rollback();
            });

    assertThat(log.after(start, EventLog.Filter.ALL, 10)).isEmpty();
  }

  @Test
  void a_writer_that_hangs_before_its_commit_blocks_no_other_writer_of_events() throws Exception {
    long start = log.newest();
    CountDownLatch commits = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (PostgresProxy proxy = PostgresProxy.of(near);
        Database silent = Database.open(MigratedDatabase.address(proxy.through(near)), 2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      EventLog theirs = new EventLog(silent.jdbi());
      proxy.watch(PostgresProxy.CommitWatch.holding(commits, goOn));
      Future<?> telling = threads.submit(() -> theirs.append(List.of(event("silent", null))));
      commits.await();

      database
          .jdbi()
          .useTransaction(
              h -> {
                h.execute("SET LOCAL lock_timeout = '1s'");
                EventLog.append(h, List.of(event("another", null)));
              });
      goOn.countDown();
      telling.get(20, TimeUnit.SECONDS);
    }

    assertThat(texts(start, EventLog.Filter.ALL)).containsExactly("another", "silent");
  }

  @Test
  void events_of_several_calls_are_appended_in_their_order_with_what_was_written_before() {
    long start = log.newest();
    database
        .jdbi()
        .useTransaction(
            h -> {
              EventLog.append(h, List.of(event("a", null), event("b", null)));
              EventLog.append(h, List.of(event("c", null)));
            });

    assertThat(texts(start, EventLog.Filter.ALL)).containsExactly("a", "b", "c");
  }

  @Test
  void what_was_appended_since_a_savepoint_goes_with_the_rollback_to_it() {
    long start = log.newest();
    database
        .jdbi()
        .useTransaction(
            h -> {
              EventLog.append(h, List.of(event("before", null)));
              h.savepoint("here");
              EventLog.append(h, List.of(event("undone", null)));
              h.rollbackToSavepoint("here");
              EventLog.append(h, List.of(event("after", null)));
            });

    assertThat(texts(start, EventLog.Filter.ALL)).containsExactly("before", "after");
  }

  @Test
  void events_belong_to_a_transaction() {
    assertThatThrownBy(
            () -> database.jdbi().useHandle(h -> EventLog.append(h, List.of(event("stray", null)))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_the_database_refuses_at_the_commit_is_not_there_and_the_connection_goes_on() {
    long start = log.newest();
    database
        .jdbi()
        .useHandle(
            h -> {
              assertThatThrownBy(
                      () ->
                          h.useTransaction(
                              t -> {
                                t.execute("CREATE TABLE half_done (id int)");
                                EventLog.append(t, List.of(event("a\u0000b", null)));
                              }))
                  .hasRootCauseInstanceOf(SQLException.class);
              assertThat(h.createQuery("SELECT to_regclass('half_done')").mapTo(String.class).one())
                  .isNull();
              h.useTransaction(t -> EventLog.append(t, List.of(event("next", null))));
            });

    assertThat(texts(start, EventLog.Filter.ALL)).containsExactly("next");
  }

  @Test
  void those_who_wait_are_woken_when_events_are_committed() throws InterruptedException {
    try (Notifications notifications = new Notifications(database)) {
      LinkedBlockingQueue<String> woken = new LinkedBlockingQueue<>();
      notifications.subscribe(Topic.EVENTS, woken::add);
      assertThat(woken.poll(20, TimeUnit.SECONDS)).as("after it connected").isEmpty();

      log.append(List.of(event("a", null)));

      assertThat(woken.poll(20, TimeUnit.SECONDS)).as("after the commit").isEmpty();
    }
  }

  @Test
  void old_events_are_forgotten_some_at_a_time() {
    Instant old = AT.minus(Duration.ofDays(8));
    log.append(
        List.of(
            new Event(
                "spec.created", RootColumn.ref("old", null), null, null, "test", old, Map.of()),
            new Event(
                "spec.created", RootColumn.ref("old", null), null, null, "test", old, Map.of())));

    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 1)).isEqualTo(1);
    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 100)).isEqualTo(1);
    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 100)).isZero();
  }

  private static List<String> texts(long after, EventLog.Filter filter) {
    return log.after(after, filter, 100).stream()
        .map(e -> RootColumn.text(e.event().root()))
        .toList();
  }

  private static Event event(String application, String team) {
    return new Event(
        "spec.created",
        RootColumn.ref(application, "default"),
        "default",
        team,
        "test",
        AT,
        Map.of("n", 1L));
  }
}
