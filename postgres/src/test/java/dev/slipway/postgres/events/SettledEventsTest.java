package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.RootColumn;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions that append events and end in any order, and what readers see meanwhile. */
class SettledEventsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DRAW_ID =
      "INSERT INTO events (type, source, at, data) VALUES ('t', 'test', now(), '{}')";
  private static final String DRAW_XID = "SELECT pg_current_xact_id()";

  private final TestDatabase direct = MigratedDatabase.fresh();
  private final Database database = Database.open(MigratedDatabase.address(direct), 10);
  private final EventLog log = new EventLog(database.jdbi());
  private final List<Connection> open = new ArrayList<>();

  @BeforeEach
  void start() {
    assertThat(log.newest()).isZero();
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : open) {
      connection.close();
    }
    database.close();
  }

  @Test
  void an_event_waits_for_the_commit_of_a_smaller_id() throws SQLException {
    Connection first = transaction(DRAW_ID);
    Connection second = transaction(DRAW_ID);
    second.commit();

    assertThat(seen()).isEmpty();
    assertThat(log.awaitsWriters()).isTrue();
    first.commit();

    assertThat(seen()).containsExactly(1L, 2L);
    assertThat(log.awaitsWriters()).isFalse();
  }

  @Test
  void an_event_waits_for_the_rollback_of_a_smaller_id() throws SQLException {
    Connection first = transaction(DRAW_ID);
    Connection second = transaction(DRAW_ID);
    second.commit();
    assertThat(seen()).isEmpty();

    first.rollback();

    assertThat(seen()).containsExactly(2L);
    assertThat(log.newest()).isEqualTo(2);
  }

  @Test
  void events_below_the_first_gap_are_shown_at_once() throws SQLException {
    transaction(DRAW_ID).commit();
    Connection middle = transaction(DRAW_ID);
    transaction(DRAW_ID).commit();

    assertThat(seen()).containsExactly(1L);
    middle.commit();
    assertThat(seen()).containsExactly(1L, 2L, 3L);
  }

  /** Its id is not below the xmax of any snapshot that is taken before another transaction ends. */
  @Test
  void a_writer_younger_than_every_transaction_that_has_ended_is_waited_for() throws SQLException {
    Connection older = transaction(DRAW_XID);
    Connection younger = transaction(DRAW_XID, DRAW_ID);
    execute(older, DRAW_ID);
    older.commit();

    assertThat(seen()).isEmpty();
    assertThat(seen()).as("at the second look too").isEmpty();
    younger.commit();
    assertThat(seen()).containsExactly(1L, 2L);
  }

  @Test
  void a_transaction_that_writes_no_events_delays_none() throws SQLException {
    transaction(DRAW_XID, "INSERT INTO teams (name, created_at) VALUES ('t', now())");
    transaction("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "SELECT count(*) FROM events");
    transaction(DRAW_ID).rollback();
    transaction(DRAW_ID).commit();

    assertThat(seen()).containsExactly(2L);
  }

  @Test
  void writers_that_follow_each_other_without_a_pause_delay_no_event_for_ever()
      throws SQLException {
    transaction(DRAW_ID).rollback();
    List<Long> shown = new ArrayList<>();
    Connection last = transaction(DRAW_ID);
    for (int i = 0; i < 50; i++) { // at each moment one transaction is open
      Connection next = transaction(DRAW_ID);
      last.commit();
      shown.add(log.newest());
      last = next;
    }

    assertThat(shown.getLast()).isGreaterThanOrEqualTo(48);
    last.commit();
    assertThat(log.newest()).isEqualTo(52);
  }

  @Test
  void a_replica_that_starts_beside_open_writers_begins_with_what_is_settled() throws Exception {
    transaction(DRAW_ID).commit();
    Connection writer = transaction(DRAW_ID);
    EventLog other = new EventLog(database.jdbi());

    CompletableFuture<Long> newest = CompletableFuture.supplyAsync(other::newest);
    await().atMost(PATIENCE).until(other::awaitsWriters);
    assertThat(newest).isNotDone();
    writer.rollback();

    assertThat(newest.get()).isEqualTo(2);
  }

  @Test
  void a_sequence_that_was_set_back_begins_again() throws SQLException {
    for (int i = 0; i < 5; i++) {
      transaction(DRAW_ID).commit();
    }
    assertThat(log.newest()).isEqualTo(5);
    database.jdbi().useHandle(h -> h.execute("DELETE FROM events WHERE id > 2"));
    database.jdbi().useHandle(h -> h.execute("SELECT setval('events_id_seq', 2)"));

    assertThat(log.newest()).isEqualTo(2);
    transaction(DRAW_ID).commit();
    assertThat(seen()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void a_prepared_transaction_is_waited_for_under_its_new_name() {
    EventWriters.Open before = new EventWriters.Open(Set.of("4/17"), 0);

    assertThat(before.endedBy(new EventWriters.Open(Set.of("5/3"), 0))).isTrue();
    assertThat(before.endedBy(new EventWriters.Open(Set.of("5/3", "4/17"), 0))).isFalse();
    assertThat(before.endedBy(new EventWriters.Open(Set.of("-1/812"), 0))).isFalse();
  }

  /** Several writers and readers, each step of each of them in a random order. */
  @Test
  void no_reader_misses_an_event_or_sees_one_out_of_order_in_any_schedule() throws SQLException {
    Schedule schedule = new Schedule();
    for (int seed = 0; seed < 2_000; seed++) {
      schedule.play(new Random(seed));
      schedule.check(seed);
    }
    assertThat(schedule.delays).as("looks that had to wait for a writer").isPositive();
    assertThat(schedule.rollbacks).isPositive();
  }

  private final class Schedule {
    private static final int WRITERS = 4;
    private static final int STEPS = 14;
    private final List<Connection> writers = new ArrayList<>();
    private final boolean[] busy = new boolean[WRITERS];
    private final List<Reader> readers = List.of(new Reader(), new Reader());
    private long checked;
    private int delays;
    private int rollbacks;

    private Schedule() throws SQLException {
      for (int i = 0; i < WRITERS; i++) {
        writers.add(transaction());
      }
    }

    private void play(Random random) throws SQLException {
      for (int step = 0; step < STEPS; step++) {
        int who = random.nextInt(WRITERS + readers.size());
        if (who < WRITERS) {
          write(who, random);
        } else {
          delays += readers.get(who - WRITERS).look();
        }
      }
      for (int i = 0; i < WRITERS; i++) {
        end(i, random);
      }
    }

    private void write(int who, Random random) throws SQLException {
      switch (random.nextInt(busy[who] ? 4 : 2)) {
        case 0 -> execute(writers.get(who), DRAW_XID);
        case 1, 2 -> execute(writers.get(who), DRAW_ID);
        case 3 -> {
          end(who, random);
          return;
        }
        default -> throw new IllegalStateException();
      }
      busy[who] = true;
    }

    private void end(int who, Random random) throws SQLException {
      if (random.nextInt(3) == 0) {
        writers.get(who).rollback();
        rollbacks++;
      } else {
        writers.get(who).commit();
      }
      busy[who] = false;
    }

    private void check(int seed) {
      List<Long> stored = stored(checked);
      for (Reader reader : readers) {
        reader.look();
        assertThat(reader.seen).as("schedule %d", seed).isEqualTo(stored);
        reader.seen.clear();
      }
      checked = stored.isEmpty() ? checked : stored.getLast();
    }

    private List<Long> stored(long after) {
      return database
          .jdbi()
          .withHandle(
              h ->
                  h.createQuery("SELECT id FROM events WHERE id > ? ORDER BY id")
                      .bind(0, after)
                      .mapTo(Long.class)
                      .list());
    }
  }

  private final class Reader {
    private final EventLog own = new EventLog(database.jdbi());
    private final List<Long> seen = new ArrayList<>();
    private long last;
    private boolean begun;

    /** 1 when events wait for a writer. */
    private int look() {
      if (!begun && anyWriter()) {
        return 0; // the first look of a replica waits for open writers; this thread is theirs
      }
      begun = true;
      own.after(last, EventLog.Filter.ALL, 1_000).forEach(e -> seen.add(e.id()));
      last = seen.isEmpty() ? last : seen.getLast();
      return own.awaitsWriters() ? 1 : 0;
    }

    private boolean anyWriter() {
      return !database.jdbi().withHandle(h -> new EventWriters().open(h)).none();
    }
  }

  @Test
  void a_replica_that_dies_between_its_events_and_its_commit_delays_no_writer_and_readers_briefly()
      throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (PostgresProxy proxy = PostgresProxy.of(direct);
        Database dying = Database.open(MigratedDatabase.address(proxy.through(direct)), 2)) {
      proxy.watch(holdingBetween(cut, never));
      CompletableFuture<Void> lost =
          CompletableFuture.runAsync(() -> new EventLog(dying.jdbi()).append(event("lost")));
      cut.await();
      await().atMost(PATIENCE).until(() -> !writers().none());

      log.append(event("written meanwhile"));
      assertThat(seen()).as("behind the id of the silent one").isEmpty();

      // The database would wait for the rest of the message for ever.
      await().atMost(Duration.ofSeconds(60)).until(() -> seen().equals(List.of(2L)));
      never.countDown();
      assertThat(lost).failsWithin(PATIENCE);
      assertThat(seen()).as("its commit came too late").containsExactly(2L);
    }
  }

  @Test
  void a_connection_that_breaks_between_events_and_commit_takes_the_events_with_it()
      throws Exception {
    try (PostgresProxy proxy = PostgresProxy.of(direct);
        Database dying = Database.open(MigratedDatabase.address(proxy.through(direct)), 2)) {
      proxy.watch(
          new PostgresProxy.CommitWatch() {
            @Override
            public boolean cutsIn() {
              return true;
            }

            @Override
            public void between(PostgresProxy.Transaction transaction) {
              await().atMost(PATIENCE).until(() -> !writers().none());
              throw new PostgresProxy.Cut();
            }
          });
      CompletableFuture<Void> lost =
          CompletableFuture.runAsync(() -> new EventLog(dying.jdbi()).append(event("lost")));
      assertThat(lost).failsWithin(PATIENCE);
      log.append(event("next"));

      await().atMost(PATIENCE).until(() -> seen().equals(List.of(2L)));
    }
  }

  private static PostgresProxy.CommitWatch holdingBetween(
      CountDownLatch come, CountDownLatch goOn) {
    return new PostgresProxy.CommitWatch() {
      @Override
      public boolean cutsIn() {
        return true;
      }

      @Override
      public void between(PostgresProxy.Transaction transaction) {
        come.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private EventWriters.Open writers() {
    return database.jdbi().withHandle(h -> new EventWriters().open(h));
  }

  private List<Long> seen() {
    return log.after(0, EventLog.Filter.ALL, 1_000).stream().map(StoredEvent::id).toList();
  }

  private static List<Event> event(String application) {
    return List.of(
        new Event(
            "spec.created",
            RootColumn.ref(application, null),
            null,
            null,
            "test",
            Instant.now(),
            Map.of()));
  }

  /** Begins one on a connection of its own. */
  private Connection transaction(String... statements) throws SQLException {
    Connection connection =
        DriverManager.getConnection(direct.jdbcUrl(), direct.user(), direct.password());
    open.add(connection);
    connection.setAutoCommit(false);
    for (String statement : statements) {
      execute(connection, statement);
    }
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
