package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A replica that freezes in the middle of a transaction holds locks that all others need. */
class FrozenTransactionTest {
  @Test
  void a_replica_that_freezes_in_a_transaction_does_not_hold_up_the_others_for_long()
      throws Exception {
    TestDatabase shared = MigratedDatabase.fresh();
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch awake = new CountDownLatch(1);
    NewRun lost = RunFixture.run();
    NewRun stored = RunFixture.run();
    try (PostgresProxy proxy = PostgresProxy.of(shared);
        Database first = Database.open(MigratedDatabase.address(proxy.through(shared)), 4);
        Database second = Database.open(MigratedDatabase.address(shared), 4);
        Notifications told = new Notifications(second);
        PostgresRuns freezing = new PostgresRuns(first, told);
        PostgresRuns working = new PostgresRuns(second, told)) {
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
      CompletableFuture<Void> insert =
          CompletableFuture.runAsync(() -> freezing.insert(List.of(lost)));
      assertThat(frozen.await(30, TimeUnit.SECONDS)).isTrue();

      // The database waits 4 s for whoever says nothing in the middle of a transaction.
      CompletableFuture.runAsync(() -> working.insert(List.of(stored))).get(7, TimeUnit.SECONDS);

      awake.countDown();
      assertThatThrownBy(() -> insert.get(30, TimeUnit.SECONDS)).isNotNull();
      List<String> there =
          second
              .jdbi()
              .withHandle(h -> h.createQuery("SELECT id FROM runs").mapTo(String.class).list());
      assertThat(there).containsExactly(stored.id().toString());
    }
  }
}
