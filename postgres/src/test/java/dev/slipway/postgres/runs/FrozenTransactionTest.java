package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.value.SecretBox;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica that freezes in the middle of a transaction. */
@Tag("proof")
class FrozenTransactionTest {
  private final TestDatabase shared = MigratedDatabase.fresh();
  private final PostgresProxy proxy = PostgresProxy.of(shared);
  private final Database first = Database.open(MigratedDatabase.address(proxy.through(shared)), 4);
  private final Database second = Database.open(MigratedDatabase.address(shared), 4);
  private final Notifications notifications = new Notifications(second);
  private final PostgresRuns freezing =
      new PostgresRuns(first, notifications, new SecretBox(new byte[32]));
  private final PostgresRuns working =
      new PostgresRuns(second, notifications, new SecretBox(new byte[32]));
  private final CountDownLatch frozen = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);

  @AfterEach
  void close() {
    awake.countDown();
    working.close();
    freezing.close();
    notifications.close();
    second.close();
    first.close();
    proxy.close();
  }

  @Test
  void a_replica_that_freezes_before_its_commit_has_no_lock_that_all_need() throws Exception {
    NewRun before = RunFixture.run();
    NewRun stored = RunFixture.run();
    working.insert(List.of(before)); // with the definition that all have
    CompletableFuture<Void> insert = freezes(() -> freezing.insert(List.of(RunFixture.run())));

    working.insert(List.of(stored));

    assertThat(insert).as("one that is still frozen").isNotDone();
    assertThat(texts("SELECT type FROM events"))
        .containsExactly("workflow.created", "workflow.created");
    assertThatThrownBy(() -> insert.get(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(texts("SELECT id FROM runs"))
        .containsExactlyInAnyOrder(before.id().toString(), stored.id().toString());
  }

  @Test
  void a_replica_that_freezes_with_a_row_in_hand_does_not_hold_up_the_others_for_long()
      throws Exception {
    NewRun run = RunFixture.run();
    working.insert(List.of(run));
    Instant now = Instant.now();
    CompletableFuture<Void> cancel =
        freezes(() -> freezing.cancel(run.id(), RunStore.Cancel.REQUESTED, now));

    // The database ends a session that is silent for 4 s in the middle of a transaction.
    assertTimeout(
        Duration.ofSeconds(60), () -> working.cancel(run.id(), RunStore.Cancel.REQUESTED, now));

    awake.countDown();
    assertThatThrownBy(() -> cancel.get(30, TimeUnit.SECONDS)).isNotNull();
  }

  /** Does it, and freezes right before its commit. */
  private CompletableFuture<Void> freezes(Runnable work) throws InterruptedException {
    proxy.watch(PostgresProxy.CommitWatch.holding(frozen, awake));
    CompletableFuture<Void> doing = CompletableFuture.runAsync(work);
    assertThat(frozen.await(30, TimeUnit.SECONDS)).isTrue();
    return doing;
  }

  private List<String> texts(String sql) {
    return second.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
  }
}
