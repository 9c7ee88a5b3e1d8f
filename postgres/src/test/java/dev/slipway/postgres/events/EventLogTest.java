package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
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
  private static Database database;
  private static EventLog log;

  @BeforeAll
  static void open() {
    database = MigratedDatabase.open();
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
  void a_rolled_back_transaction_tells_nothing() {
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
            new Event("spec.created", "old", null, null, "test", old, Map.of()),
            new Event("spec.created", "old", null, null, "test", old, Map.of())));

    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 1)).isEqualTo(1);
    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 100)).isEqualTo(1);
    assertThat(log.forget(AT.minus(Duration.ofDays(7)), 100)).isZero();
  }

  private static List<String> texts(long after, EventLog.Filter filter) {
    return log.after(after, filter, 100).stream().map(e -> e.event().application()).toList();
  }

  private static Event event(String application, String team) {
    return new Event("spec.created", application, "default", team, "test", AT, Map.of("n", 1L));
  }
}
