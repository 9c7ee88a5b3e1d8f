package dev.slipway.postgres.runs;

import static dev.slipway.postgres.runs.RunFixture.LEASE;
import static dev.slipway.postgres.runs.RunFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.testbed.SettableClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The turn of one key is held, with its lock and a transaction that has written, for as long as the
 * test needs: no transition waits for it. Everything is counted, nothing is timed.
 */
class HeldTurnTest {
  private static final String HELD = "held";
  private static final int OTHERS = 40;
  private static final int OF_THE_KEY = 10;

  private final Database database = MigratedDatabase.open();
  private final Notifications notifications = new Notifications(database);
  private final PostgresRuns runs =
      new PostgresRuns(database, notifications, new SecretBox(new byte[32]));
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Set<String> others = ConcurrentHashMap.newKeySet();
  private final AtomicInteger heldTurns = new AtomicInteger();
  private ReconcileLoop loop;

  /** Writes before it stands still, so that its transaction has rows of its own locked too. */
  private final class Toy implements Reconciler {
    @Override
    public String kind() {
      return "toy";
    }

    @Override
    public int width() {
      return 2;
    }

    @Override
    public Next reconcile(Handle tx, String key, Wake wake) {
      if (!key.equals(HELD)) {
        others.add(key);
        return Next.DONE;
      }
      Signals.later(tx, "toy", key, NOW.plusSeconds(3600));
      heldTurns.incrementAndGet();
      begun.countDown();
      try {
        assertThat(release.await(5, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Next.DONE;
    }
  }

  @BeforeEach
  void hold() throws InterruptedException {
    SettableClock clock = new SettableClock();
    loop =
        new ReconcileLoop(
                new ReconcileLoop.Parts(
                    database.jdbi(),
                    notifications,
                    clock,
                    Duration.ofMillis(100),
                    Threads.OF_MACHINE),
                List.of(new Toy()))
            .start();
    database.jdbi().useTransaction(h -> Signals.add(h, "toy", List.of(HELD), NOW));
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void close() {
    release.countDown();
    loop.close();
    runs.close();
    notifications.close();
    database.close();
  }

  private List<ClaimedRun> claimed(int count, String key) {
    List<NewRun> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String of = key.equals(HELD) ? key : key + i;
      made.add(
          RunFixture.run(
              new NewRun.Subject(null, null, null, new NewRun.Key("toy", of, "item", "test")),
              NOW));
    }
    runs.insert(made);
    return runs.claim(new Owner("a", "1"), count, NOW, LEASE);
  }

  private static RunWrite end(ClaimedRun run) {
    RunWrite ends = RunFixture.ends(run, RunState.SUCCEEDED);
    return new RunWrite(
        ends.run(),
        ends.fence(),
        ends.version(),
        ends.steps(),
        ends.attempts(),
        ends.change(),
        Optional.of(new RunWrite.Report(run.subject().key(), Effect.SUCCEEDED, "done", null)),
        RunWrite.Others.NONE,
        ends.events(),
        ends.at());
  }

  private long count(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }

  @Test
  void runs_of_that_key_and_of_all_others_end_meanwhile() {
    List<ClaimedRun> ending = new ArrayList<>(claimed(OTHERS, "other"));
    ending.addAll(claimed(OF_THE_KEY, HELD));
    List<CompletableFuture<Outcome>> writes =
        ending.stream().map(run -> runs.write(end(run))).toList();
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(writes).allMatch(CompletableFuture::isDone));

    assertThat(writes).extracting(CompletableFuture::join).containsOnly(Outcome.WRITTEN);
    assertThat(count("SELECT count(*) FROM runs WHERE state = 'succeeded'"))
        .as("transitions committed while the turn was held")
        .isEqualTo(OTHERS + OF_THE_KEY);
    await().atMost(Duration.ofMinutes(2)).until(() -> others.size() == OTHERS);
    assertThat(release.getCount()).as("the turn is still held").isEqualTo(1);
    assertThat(heldTurns).hasValue(1);
    assertThat(count("SELECT count(*) FROM signals WHERE key = 'held' AND run IS NOT NULL"))
        .as("the next turn of the key has the signals of its runs")
        .isEqualTo(OF_THE_KEY);

    release.countDown();
    await().atMost(Duration.ofMinutes(2)).until(() -> heldTurns.get() == 2);
    await().atMost(Duration.ofMinutes(2)).until(() -> count("SELECT count(*) FROM signals") == 0);
  }

  @Test
  void a_batch_takes_the_same_statements_whether_its_key_is_held_or_not() throws SQLException {
    List<RunWrite> ofOthers = claimed(OF_THE_KEY, "other").stream().map(HeldTurnTest::end).toList();
    List<RunWrite> ofTheKey = claimed(OF_THE_KEY, HELD).stream().map(HeldTurnTest::end).toList();

    int free = statements(ofOthers);
    int held = statements(ofTheKey);

    assertThat(held).isEqualTo(free).isPositive();
    assertThat(release.getCount()).as("the turn is still held").isEqualTo(1);
    assertThat(count("SELECT count(*) FROM runs WHERE state = 'succeeded'"))
        .isEqualTo(2 * OF_THE_KEY);
  }

  /** How many statements commit these writes as one batch. */
  private int statements(List<RunWrite> writes) throws SQLException {
    AtomicInteger prepared = new AtomicInteger();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      new TransitionBatch(counting(connection, prepared), new SecretBox(new byte[32]), writes)
          .commit(GroupCommit.Earlier.NONE);
      connection.setAutoCommit(true);
    }
    return prepared.get();
  }

  private static Connection counting(Connection connection, AtomicInteger prepared) {
    return (Connection)
        Proxy.newProxyInstance(
            HeldTurnTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                prepared.incrementAndGet();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
