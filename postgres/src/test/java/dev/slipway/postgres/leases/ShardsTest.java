package dev.slipway.postgres.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LENGTH = Leases.Terms.DEFAULT.length();
  private static final Duration RENEWAL = Leases.Terms.DEFAULT.renewal();

  private final Database database = MigratedDatabase.open();
  private final SettableClock clock = new SettableClock();
  private final List<Replica> replicas = new ArrayList<>();

  @AfterEach
  void close() {
    replicas.forEach(replica -> replica.leases.close());
    database.close();
  }

  /** A replica, what its listener believes, and how many statements it has sent. */
  private final class Replica implements ShardListener {
    final Set<Integer> believed = new ConcurrentSkipListSet<>();
    final AtomicInteger moves = new AtomicInteger();
    final AtomicInteger statements = new AtomicInteger();
    volatile CountDownLatch busy = new CountDownLatch(0);
    final Leases leases;
    final Shards shards;

    Replica(String name, int count) {
      leases =
          new Leases(
              new Leases.Parts(database, clock, name, Threads.OF_MACHINE), Leases.Terms.DEFAULT);
      leases
          .session()
          .jdbi()
          .setSqlLogger(
              new SqlLogger() {
                @Override
                public void logAfterExecution(StatementContext context) {
                  statements.incrementAndGet();
                }
              });
      shards = leases.shards("toy", count, this);
      replicas.add(this);
    }

    @Override
    public void gained(int shard, Lease lease) {
      assertThat(lease.lasts(Duration.ZERO)).isTrue();
      moves.incrementAndGet();
      believed.add(shard);
    }

    @Override
    public void lost(int shard) {
      try {
        busy.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      moves.incrementAndGet();
      believed.remove(shard);
    }

    /** One pass, and the listener was called. */
    void pass() {
      leases.pass();
      if (busy.getCount() == 0) {
        await().atMost(LONG).until(() -> believed.equals(shards.held()));
      }
    }
  }

  private static void pass(Replica... some) {
    for (int i = 0; i < 3; i++) {
      for (Replica replica : some) {
        replica.pass();
      }
    }
  }

  private static TreeSet<Integer> union(Replica... some) {
    TreeSet<Integer> all = new TreeSet<>();
    for (Replica replica : some) {
      for (int shard : replica.shards.held()) {
        assertThat(all.add(shard)).as("shard %d has one owner", shard).isTrue();
      }
    }
    return all;
  }

  @Test
  void one_replica_has_all_and_knows_the_shard_of_every_key() {
    Replica a = new Replica("a", 16);
    a.pass();

    assertThat(a.believed).hasSize(16);
    for (int i = 0; i < 100; i++) {
      String key = "key " + i;
      assertThat(a.shards.shardOf(key)).isBetween(0, 15);
      assertThat(a.shards.holds(key)).isTrue();
      assertThat(a.shards.lease(key).orElseThrow().name())
          .isEqualTo("shard toy " + a.shards.shardOf(key));
    }
  }

  @Test
  void a_replica_that_comes_gets_its_share_and_no_more_than_that_moves() {
    Replica a = new Replica("a", 256);
    a.pass();
    Replica b = new Replica("b", 256);
    pass(b, a);
    assertThat(a.believed).hasSize(128);
    assertThat(b.believed).hasSize(128);
    int before = a.moves.get() + b.moves.get();

    Replica c = new Replica("c", 256);
    pass(c, a, b);

    assertThat(union(a, b, c)).hasSize(256);
    assertThat(List.of(a.believed.size(), b.believed.size(), c.believed.size()))
        .containsExactlyInAnyOrder(85, 85, 86);
    assertThat(a.moves.get() + b.moves.get() - before)
        .as("given up: c's share and one a replica")
        .isLessThanOrEqualTo(88);
    assertThat(c.moves.get()).as("gained").isLessThanOrEqualTo(86);
  }

  @Test
  void a_replica_that_goes_gives_its_shards_back_and_the_rest_take_them_at_once() {
    Replica a = new Replica("a", 9);
    Replica b = new Replica("b", 9);
    Replica c = new Replica("c", 9);
    pass(a, b, c);
    assertThat(union(a, b, c)).hasSize(9);

    c.leases.close();
    assertThat(c.believed).isEmpty();
    pass(a, b);

    assertThat(union(a, b)).hasSize(9);
    assertThat(a.believed.size()).isBetween(4, 5);
  }

  @Test
  void shards_of_a_killed_replica_are_taken_over_when_its_leases_have_ended() {
    Replica a = new Replica("a", 8);
    Replica killed = new Replica("killed", 8);
    pass(a, killed);
    assertThat(a.believed).hasSize(4);

    clock.advance(LENGTH.minusSeconds(1));
    a.pass();
    assertThat(a.believed).as("before its leases have ended").hasSize(4);
    clock.advance(RENEWAL);
    pass(a);

    assertThat(a.believed).hasSize(8);
    assertThat(killed.shards.held()).isEmpty();
    assertThat(killed.shards.holds("any key")).isFalse();
  }

  @Test
  void a_replica_that_froze_learns_which_shards_it_lost_and_gets_a_share_with_new_epochs() {
    Replica a = new Replica("a", 8);
    Replica frozen = new Replica("frozen", 8);
    pass(a, frozen);
    int shard = frozen.shards.held().iterator().next();
    String key = keyOf(frozen.shards, shard);
    Lease old = frozen.shards.lease(key).orElseThrow();

    clock.advance(LENGTH);
    pass(a);
    frozen.leases.pass();

    await().atMost(LONG).until(() -> frozen.believed.equals(frozen.shards.held()));
    assertThatThrownBy(() -> old.write(tx -> tx.execute("SELECT 1")))
        .isInstanceOf(LeaseLostException.class);
    pass(a, frozen);
    assertThat(union(a, frozen)).hasSize(8);
    assertThat(frozen.believed).hasSize(4);
    frozen.shards.lease(key).ifPresent(now -> assertThat(now.epoch()).isGreaterThan(old.epoch()));
  }

  private static String keyOf(Shards shards, int shard) {
    for (int i = 0; ; i++) {
      if (shards.shardOf("key " + i) == shard) {
        return "key " + i;
      }
    }
  }

  @Test
  void a_shard_is_handed_over_only_after_the_listener_has_let_it_go() {
    Replica a = new Replica("a", 2);
    a.pass();
    a.busy = new CountDownLatch(1);
    Replica b = new Replica("b", 2);
    pass(b, a, b);

    assertThat(a.shards.held()).as("a works on one of them no more").hasSize(1);
    assertThat(b.shards.held()).as("b waits for a's listener").isEmpty();
    clock.advance(RENEWAL);
    pass(a, b);
    assertThat(b.shards.held()).isEmpty();

    a.busy.countDown();
    await()
        .atMost(LONG)
        .until(
            () -> {
              pass(a, b);
              return b.believed.size() == 1;
            });
    assertThat(union(a, b)).hasSize(2);
  }

  @Test
  void a_listener_that_throws_keeps_no_shard_from_being_handed_over() {
    Leases angry =
        new Leases(
            new Leases.Parts(database, clock, "angry", Threads.OF_MACHINE), Leases.Terms.DEFAULT);
    Shards shards =
        angry.shards(
            "toy",
            2,
            new ShardListener() {
              @Override
              public void gained(int shard, Lease lease) {
                throw new IllegalStateException("on purpose");
              }

              @Override
              public void lost(int shard) {
                throw new IllegalStateException("on purpose");
              }
            });
    angry.pass();
    assertThat(shards.held()).hasSize(2);
    Replica b = new Replica("b", 2);

    await()
        .atMost(LONG)
        .until(
            () -> {
              b.pass();
              angry.pass();
              return b.believed.size() == 1;
            });
    angry.close();
  }

  @Test
  void a_database_that_is_away_for_longer_than_a_lease_is_a_loss_and_afterwards_a_gain() {
    Replica a = new Replica("a", 4);
    a.pass();
    database.jdbi().useHandle(h -> h.execute("ALTER TABLE leases RENAME TO away"));

    clock.advance(LENGTH);
    assertThatThrownBy(a.leases::pass).isInstanceOf(RuntimeException.class);
    await().atMost(LONG).until(() -> a.believed.isEmpty());
    database.jdbi().useHandle(h -> h.execute("ALTER TABLE away RENAME TO leases"));
    a.pass();

    assertThat(a.believed).hasSize(4);
  }

  @Test
  void a_replica_that_counts_other_shards_waits_until_those_before_it_have_gone() {
    Replica a = new Replica("a", 4);
    a.pass();
    Replica b = new Replica("b", 6);
    pass(b, a);
    assertThat(a.believed).hasSize(4);
    assertThat(b.believed).isEmpty();

    a.leases.close();
    pass(b);

    assertThat(b.believed).hasSize(6);
  }

  @Test
  void three_replicas_with_256_leases_each_send_two_statements_an_interval_each() {
    Replica a = new Replica("a", 768);
    Replica b = new Replica("b", 768);
    Replica c = new Replica("c", 768);
    pass(a, b, c);
    pass(a, b, c);
    assertThat(a.believed).hasSize(256);
    assertThat(b.believed).hasSize(256);
    assertThat(c.believed).hasSize(256);
    replicas.forEach(replica -> replica.statements.set(0));

    for (int i = 0; i < 10; i++) {
      clock.advance(RENEWAL);
      a.pass();
      b.pass();
      c.pass();
    }

    assertThat(replicas).allSatisfy(r -> assertThat(r.statements.get()).isEqualTo(20));
    assertThat(union(a, b, c)).hasSize(768);
  }
}
