package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.RootColumn;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Who notifies, when, and how often. */
class NotifySenderTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestDatabase direct = MigratedDatabase.fresh();
  private final Database database = Database.open(MigratedDatabase.address(direct), 4);
  private Connection ear;

  @BeforeEach
  void listen() throws SQLException {
    ear = DriverManager.getConnection(direct.jdbcUrl(), direct.user(), direct.password());
    ear.createStatement().execute("LISTEN slipway");
  }

  @AfterEach
  void close() throws SQLException {
    ear.close();
    database.close();
  }

  @Test
  void a_transaction_that_appends_events_notifies_nothing_itself() throws SQLException {
    new EventLog(database.jdbi()).append(event());
    database.jdbi().useHandle(h -> h.execute("NOTIFY slipway, 'end'"));

    assertThat(receivedUntil("end")).containsExactly("end");
  }

  @Test
  void another_replica_is_notified_after_the_commit() {
    try (Database far = Database.open(MigratedDatabase.address(direct), 2);
        Notifications here = new Notifications(database);
        Notifications there = new Notifications(far)) {
      await().atMost(PATIENCE).until(() -> here.others() == 1 && there.others() == 1);
      BlockingQueue<String> woken = new LinkedBlockingQueue<>();
      there.subscribe(Topic.EVENTS, payload -> woken.add("there"));
      BlockingQueue<String> near = new LinkedBlockingQueue<>();
      here.subscribe(Topic.EVENTS, payload -> near.add("here"));

      new EventLog(database.jdbi()).append(event());

      assertThat(near).as("on the thread that committed, and not once more").hasSize(1);
      await().atMost(PATIENCE).until(() -> !woken.isEmpty());
      there.announce(Topic.EVENTS, "");
      await().atMost(PATIENCE).until(() -> near.size() == 2);
    }
  }

  @Test
  void a_transaction_that_is_rolled_back_announces_nothing() throws SQLException {
    ear.setClientInfo("ApplicationName", "slipway notifications"); // counts as another replica
    try (Notifications here = new Notifications(database)) {
      database
          .jdbi()
          .useTransaction(
              h -> {
                h.savepoint("here");
                Notifications.announce(h, Topic.RUNS, "undone");
                h.rollbackToSavepoint("here");
                Notifications.announce(h, Topic.RUNS, "done");
              });
      database
          .jdbi()
          .useTransaction(
              h -> {
                Notifications.announce(h, Topic.RUNS, "undone");
                h.rollback();
              });
      here.announce(Topic.RUNS, "end");
      List<String> received = receivedUntil("runs:end");
      assertThat(received).contains("runs:done").doesNotContain("runs:undone");
    }
  }

  @Test
  void messages_that_gather_while_the_database_is_slow_leave_together_and_once()
      throws SQLException {
    try (PostgresProxy proxy = PostgresProxy.of(direct)) {
      TestDatabase slow = proxy.through(direct);
      proxy.freeze();
      try (NotifySender sender =
          new NotifySender(
              "slipway",
              Threads.OF_MACHINE,
              () -> DriverManager.getConnection(slow.jdbcUrl(), slow.user(), slow.password()))) {
        for (int i = 0; i < 1_000; i++) {
          sender.send("events:");
          sender.send("runs:" + i % 3);
        }
        proxy.thaw();
        await().atMost(PATIENCE).until(() -> sender.session() != 0);
      } // sends the rest
      database.jdbi().useHandle(h -> h.execute("NOTIFY slipway, 'end'"));

      assertThat(receivedUntil("end"))
          .contains("events:", "runs:0", "runs:1", "runs:2")
          .as("what was under way, the rest together, and the end")
          .hasSizeLessThanOrEqualTo(4 + 4 + 1);
    }
  }

  @Test
  void a_replica_alone_sends_nothing_until_another_one_listens() throws SQLException {
    try (Notifications alone = new Notifications(database)) {
      BlockingQueue<String> received = new LinkedBlockingQueue<>();
      alone.subscribe(Topic.RUNS, received::add);
      await().atMost(PATIENCE).until(() -> "".equals(received.poll()));
      await().atMost(PATIENCE).until(() -> sent(alone, "early").isEmpty());
      try (Database far = Database.open(MigratedDatabase.address(direct), 2);
          Notifications second = new Notifications(far)) {
        await().atMost(PATIENCE).until(() -> second.others() == 1);
        await().atMost(PATIENCE).until(() -> sent(alone, "late").contains("runs:late"));
      }
    }
  }

  /** The notifications that another session receives. */
  private List<String> sent(Notifications from, String payload) throws SQLException {
    from.announce(Topic.RUNS, payload);
    List<String> received = new ArrayList<>();
    PGNotification[] some = ear.unwrap(PGConnection.class).getNotifications(300);
    for (PGNotification one : some) {
      received.add(one.getParameter());
    }
    return received;
  }

  private List<String> receivedUntil(String last) throws SQLException {
    List<String> received = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!received.contains(last)) {
      assertThat(System.nanoTime())
          .as("waiting for %s, received %s", last, received)
          .isLessThan(end);
      for (PGNotification one : ear.unwrap(PGConnection.class).getNotifications(1_000)) {
        received.add(one.getParameter());
      }
    }
    return received;
  }

  private static List<Event> event() {
    return List.of(
        new Event(
            "spec.created",
            RootColumn.ref("a", null),
            null,
            null,
            "test",
            Instant.now(),
            Map.of()));
  }
}
