package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replica that freezes in the middle of a transaction. */
class FrozenTransactionTest {
  private final TestDatabase shared = MigratedDatabase.fresh();
  private final PostgresProxy proxy = PostgresProxy.of(shared);
  private final Database first = Database.open(MigratedDatabase.address(proxy.through(shared)), 4);
  private final Database second = Database.open(MigratedDatabase.address(shared), 4);
  private final Notifications told = new Notifications(second);
  private final PostgresRuns freezing = new PostgresRuns(first, told);
  private final PostgresRuns working = new PostgresRuns(second, told);
  private final CountDownLatch frozen = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);

  @AfterEach
  void close() {
    awake.countDown();
    working.close();
    freezing.close();
    told.close();
    second.close();
    first.close();
    proxy.close();
  }

  @Test
  void a_replica_that_freezes_before_its_commit_has_no_lock_that_all_need() throws Exception {
    working.insert(List.of(RunFixture.run())); // with the definition that all have
    CompletableFuture<Void> insert = freezes(() -> freezing.insert(List.of(RunFixture.run())));

    working.insert(List.of(RunFixture.run()));

    assertThat(insert).isNotDone();
    assertThat(events()).containsExactly("workflow.created", "workflow.created");
  }

  @Test
  void a_replica_that_freezes_with_a_row_in_hand_does_not_hold_up_the_others_for_long()
      throws Exception {
    NewRun run = RunFixture.run();
    working.insert(List.of(run));
    Instant now = Instant.now();
    CompletableFuture<Void> cancel =
        freezes(() -> freezing.cancel(run.id(), RunStore.Cancel.REQUESTED, now));

    // The database waits 4 s for whoever says nothing in the middle of a transaction.
    assertTimeout(
        Duration.ofSeconds(7), () -> working.cancel(run.id(), RunStore.Cancel.REQUESTED, now));

    awake.countDown();
    assertThatThrownBy(() -> cancel.get(30, TimeUnit.SECONDS)).isNotNull();
  }

  /** Does it, and freezes right before its commit. */
  private CompletableFuture<Void> freezes(Runnable work) throws InterruptedException {
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(PostgresProxy.Transaction transaction) {
            frozen.countDown();
            try {
              awake.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    CompletableFuture<Void> doing = CompletableFuture.runAsync(work);
    assertThat(frozen.await(30, TimeUnit.SECONDS)).isTrue();
    return doing;
  }

  private List<String> events() {
    return second
        .jdbi()
        .withHandle(h -> h.createQuery("SELECT type FROM events").mapTo(String.class).list());
  }
}
