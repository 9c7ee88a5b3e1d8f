package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.access.RepeatedRequests.Request;
import dev.slipway.postgres.access.RepeatedRequests.Verdict;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection is lost while its COMMIT is on the way, and the COMMIT arrives later. */
class UnknownCommitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HOLDERS =
      "SELECT count(*) FROM pg_locks WHERE relation = 'idempotency_keys'::regclass"
          + " AND mode = 'RowExclusiveLock'";
  private static final Owner OWNER = new Owner("a", "1");

  private final TestDatabase shared = MigratedDatabase.fresh();
  private final PostgresProxy proxy = PostgresProxy.of(shared);
  private final Database far = Database.open(MigratedDatabase.address(proxy.through(shared)), 4);
  private final Database near = Database.open(MigratedDatabase.address(shared), 4);
  private final Notifications notifications = new Notifications(near);
  private final PostgresRuns runs =
      new PostgresRuns(far, notifications, new SecretBox(new byte[32]));
  private final CountDownLatch sent = new CountDownLatch(1);
  private final CountDownLatch arrives = new CountDownLatch(1);

  @AfterEach
  void close() {
    arrives.countDown();
    runs.close();
    notifications.close();
    near.close();
    far.close();
    proxy.close();
  }

  @Test
  void a_transition_whose_commit_arrives_after_its_connection_was_lost_counts_as_written()
      throws Exception {
    NewRun run = RunFixture.run();
    runs.insert(List.of(run));
    ClaimedRun claimed = runs.claim(OWNER, 1, RunFixture.NOW, Duration.ofMinutes(1)).getFirst();
    proxy.watch(PostgresProxy.CommitWatch.holding(sent, arrives));
    CompletableFuture<Outcome> outcome = runs.write(RunFixture.ends(claimed, RunState.SUCCEEDED));
    loseConnection();

    // The next try waits for the transaction whose outcome is unknown.
    await().atMost(PATIENCE).until(() -> waiting("slipway writer") || outcome.isDone());
    arrives.countDown();

    assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(Outcome.WRITTEN);
    assertThat(count("SELECT count(*) FROM runs WHERE state = 'succeeded' AND version = 1"))
        .isEqualTo(1);
    assertThat(count("SELECT count(*) FROM events WHERE type = 'step.started'")).isEqualTo(1);
  }

  @Test
  void a_key_whose_commit_arrives_after_its_connection_was_lost_is_free_again() throws Exception {
    RepeatedRequests requests = new RepeatedRequests(far.jdbi(), "a", Threads.OF_MACHINE);
    Request request = new Request("ann", "key", "POST /x", new byte[] {1});
    proxy.watch(PostgresProxy.CommitWatch.holding(sent, arrives));
    CompletableFuture<Verdict> begun =
        CompletableFuture.supplyAsync(() -> requests.begin(request, Instant.now()));
    loseConnection();
    assertThat(begun).failsWithin(PATIENCE);
    await().atMost(PATIENCE).until(() -> waiting("slipway") || count(HOLDERS) == 0);

    arrives.countDown();

    await()
        .atMost(PATIENCE)
        .until(() -> requests.begin(request, Instant.now()) instanceof Verdict.First);
  }

  @Test
  void a_reply_whose_commit_arrives_after_its_connection_was_lost_is_given_again()
      throws Exception {
    RepeatedRequests requests = new RepeatedRequests(far.jdbi(), "a", Threads.OF_MACHINE);
    Request request = new Request("ann", "key", "POST /x", new byte[] {1});
    Verdict.First first = (Verdict.First) requests.begin(request, Instant.now());
    proxy.watch(PostgresProxy.CommitWatch.holding(sent, arrives));
    CompletableFuture<String> carried =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return requests.carryOut(
                    request,
                    first,
                    () -> "done",
                    done -> Optional.of(new RepeatedRequests.Reply(201, new byte[] {7})));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    loseConnection();
    await().atMost(PATIENCE).until(() -> waiting("slipway") || carried.isDone());
    arrives.countDown();
    assertThat(carried).failsWithin(PATIENCE);

    assertThat(requests.begin(request, Instant.now())).isInstanceOf(Verdict.Done.class);
  }

  private void loseConnection() throws InterruptedException {
    assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
    proxy.watch(PostgresProxy.CommitWatch.NONE);
    proxy.orphan();
  }

  private boolean waiting(String application) {
    return count(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND wait_event_type = 'Lock' AND application_name = '"
                + application
                + "'")
        > 0;
  }

  private long count(String sql) {
    return near.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }
}
