package dev.slipway.postgres.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeasesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LENGTH = Leases.Terms.DEFAULT.length();

  private final Database database = MigratedDatabase.open();
  private final SettableClock clock = new SettableClock();
  private final Leases a = leases("a");
  private final Leases b = leases("b");

  private Leases leases(String owner) {
    return new Leases(
        new Leases.Parts(database, clock, owner, Threads.OF_MACHINE), Leases.Terms.DEFAULT);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    database.close();
  }

  private static String write(Lease lease) {
    return lease.write(tx -> tx.createQuery("SELECT 'written'").mapTo(String.class).one());
  }

  @Test
  void one_replica_at_a_time_holds_a_name() {
    Lease lease = a.hold("poller one").orElseThrow();

    assertThat(b.hold("poller one")).isEmpty();
    assertThat(b.hold("poller two")).isPresent();
    assertThat(a.hold("poller one")).containsSame(lease);
  }

  @Test
  void a_renewed_lease_is_not_taken_over() {
    Lease lease = a.hold("poller").orElseThrow();
    for (int i = 0; i < 10; i++) {
      clock.advance(LENGTH.dividedBy(2));
      a.pass();
      assertThat(b.hold("poller")).isEmpty();
    }
    assertThat(lease.lasts(Duration.ofSeconds(5))).isTrue();
    assertThat(write(lease)).isEqualTo("written");
  }

  @Test
  void a_lease_lasts_with_a_margin_by_the_clock_of_the_database() {
    Lease lease = a.hold("poller").orElseThrow();

    assertThat(lease.lasts(LENGTH.minusSeconds(2))).isTrue();
    assertThat(lease.lasts(LENGTH)).isFalse();
    clock.advance(LENGTH.minusSeconds(2));
    assertThat(lease.lasts(Duration.ZERO)).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(lease.lasts(Duration.ZERO)).isFalse();
  }

  @Test
  void a_frozen_holder_that_wakes_up_writes_nothing_and_learns_that_it_lost() {
    Lease old = a.hold("poller").orElseThrow();
    clock.advance(LENGTH);
    Lease present = b.hold("poller").orElseThrow();

    assertThat(present.epoch()).isGreaterThan(old.epoch());
    assertThat(old.lasts(Duration.ZERO)).isFalse();
    assertThatThrownBy(() -> write(old))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("lease 'poller' of epoch " + old.epoch())
        .hasMessageContaining("nothing was written");
    a.pass();
    assertThat(old.lasts(Duration.ZERO)).isFalse();
    assertThat(a.hold("poller")).isEmpty();
    assertThat(write(present)).isEqualTo("written");
  }

  @Test
  void an_owner_that_took_its_lease_again_writes_with_the_new_epoch_only() {
    Lease first = a.hold("poller").orElseThrow();
    first.release();
    Lease second = a.hold("poller").orElseThrow();

    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThatThrownBy(() -> write(first)).isInstanceOf(LeaseLostException.class);
    assertThat(write(second)).isEqualTo("written");
  }

  @Test
  void a_lease_that_expired_and_was_not_taken_over_is_renewed_with_its_epoch() {
    Lease lease = a.hold("poller").orElseThrow();
    clock.advance(LENGTH.multipliedBy(3));
    assertThat(lease.lasts(Duration.ZERO)).isFalse();

    a.pass();

    assertThat(lease.lasts(Duration.ofSeconds(5))).isTrue();
    assertThat(write(lease)).isEqualTo("written");
  }

  @Test
  void a_write_that_has_begun_is_committed_before_another_replica_takes_over() throws Exception {
    Lease lease = a.hold("poller").orElseThrow();
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> written =
        CompletableFuture.supplyAsync(
            () ->
                lease.write(
                    tx -> {
                      inside.countDown();
                      return waited(goOn);
                    }));
    assertThat(inside.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    clock.advance(LENGTH);

    assertThat(b.hold("poller")).as("while the write is under way").isEmpty();
    a.pass();
    clock.advance(LENGTH);
    goOn.countDown();

    assertThat(written.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(b.hold("poller")).isPresent();
  }

  private static boolean waited(CountDownLatch latch) {
    try {
      return latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closing_gives_back_at_once_and_ends_all_writing() {
    Lease lease = a.hold("poller").orElseThrow();
    a.close();

    assertThat(lease.lasts(Duration.ZERO)).isFalse();
    assertThatThrownBy(() -> write(lease)).isInstanceOf(LeaseLostException.class);
    assertThat(b.hold("poller")).isPresent();
  }

  @Test
  void a_lease_whose_taking_was_not_answered_is_given_back_by_the_next_pass() {
    a.hold("other");
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO leases (name, owner, epoch, expires_at) VALUES ('poller', 'a', 1, ?)",
                    clock.instant().plus(LENGTH)));
    assertThat(b.hold("poller")).isEmpty();

    a.pass();

    assertThat(b.hold("poller")).isPresent();
  }

  @Test
  void a_cut_connection_costs_no_lease() {
    Lease lease = a.hold("poller").orElseThrow();
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'slipway leases'"
                        + " AND datname = current_database()"));
    clock.advance(LENGTH.dividedBy(2));
    a.pass();
    clock.advance(LENGTH.dividedBy(2));

    assertThat(lease.lasts(Duration.ofSeconds(1))).isTrue();
    assertThat(b.hold("poller")).isEmpty();
  }

  @Test
  void epochs_grow_also_when_the_row_was_removed_meanwhile() {
    long before = a.hold("poller").orElseThrow().epoch();
    a.close();
    database.jdbi().useHandle(h -> h.execute("DELETE FROM leases"));
    clock.advance(Duration.ofDays(90));

    assertThat(b.hold("poller").orElseThrow().epoch()).isGreaterThan(before);
  }

  @Test
  void names_of_groups_are_refused() {
    for (String name : List.of("", "shard x 1", "member x 3 a")) {
      assertThatThrownBy(() -> a.hold(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_thread_that_renews_and_dies_is_known_by_name() {
    Supervision supervision = new Supervision(() -> {});
    InstantSource broken =
        () -> {
          throw new AssertionError("broken on purpose");
        };
    Leases leases =
        new Leases(
            new Leases.Parts(database, broken, "c", Threads.supervised(supervision)),
            new Leases.Terms(LENGTH, Duration.ofMillis(10)));
    leases.shards(
        "toy",
        1,
        new ShardListener() {
          @Override
          public void gained(int shard, Lease lease) {}

          @Override
          public void lost(int shard) {}
        });
    leases.start();

    await().atMost(LONG).until(() -> supervision.death().isPresent());
    assertThat(supervision.death().orElseThrow().thread()).isEqualTo("leases");
    supervision.stopping();
  }

  @Test
  void a_killed_replica_is_replaced_after_its_lease_and_one_renewal() {
    Leases.Terms brief = new Leases.Terms(Duration.ofSeconds(2), Duration.ofMillis(200));
    Killable threads = new Killable();
    Leases killed =
        new Leases(new Leases.Parts(database, InstantSource.system(), "killed", threads), brief)
            .start();
    Lease lease = killed.hold("poller").orElseThrow();
    Leases next =
        new Leases(
            new Leases.Parts(database, InstantSource.system(), "next", Threads.OF_MACHINE), brief);
    assertThat(next.hold("poller")).isEmpty();

    Instant death = Instant.now();
    threads.kill();

    await().pollInterval(brief.renewal()).atMost(LONG).until(() -> next.hold("poller").isPresent());
    Duration took = Duration.between(death, Instant.now());
    assertThat(took).isGreaterThan(brief.length().minus(brief.renewal()).minusMillis(500));
    assertThatThrownBy(() -> write(lease)).isInstanceOf(LeaseLostException.class);
    next.close();
  }
}
