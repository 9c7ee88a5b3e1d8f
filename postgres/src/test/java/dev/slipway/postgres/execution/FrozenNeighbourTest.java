package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another replica freezes in the middle of a transaction: until the database ends it, it holds
 * locks that all need. This one is healthy and keeps what it has. In real time.
 */
@Tag("proof")
class FrozenNeighbourTest {
  /** Two thirds of it are 8 s: then steps are stopped. */
  private static final Duration LEASE = Duration.ofSeconds(12);

  private final Bench bench = new Bench();
  private final CountDownLatch frozen = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);
  private final PostgresProxy proxy = PostgresProxy.of(test());
  private final Database through =
      Database.open(
          new Database.Address(proxy.through(test()).jdbcUrl(), test().user(), test().password()),
          4);
  private final Bench.Replica healthy = bench.replica("b", settings -> settings.withRuns(0, 1));
  private final PostgresRuns freezing =
      new PostgresRuns(through, healthy.notifications, new SecretBox(new byte[32]));
  private final long started = System.nanoTime();
  private final InstantSource clock =
      () -> bench.clock.instant().plusNanos(System.nanoTime() - started);
  private final Alarms alarms = new Alarms(clock);
  private final Dispatcher dispatcher =
      new Dispatcher(
          bench.engineContext(
              healthy.runs,
              EngineSettings.of(new RunStore.Owner("a", "1")).withLease(LEASE),
              clock,
              alarms,
              ProviderFiles.LOCAL));

  private TestDatabase test() {
    Database.Address address = bench.database.address();
    return new TestDatabase(address.jdbcUrl(), address.user(), address.password());
  }

  @AfterEach
  void stop() {
    awake.countDown();
    dispatcher.close();
    alarms.close();
    freezing.close();
    through.close();
    proxy.close();
    bench.close();
  }

  @Test
  void a_replica_that_freezes_while_it_writes_events_costs_no_other_replica_its_leases() {
    keepsItsLeases(
        (store, held) -> store.insert(List.of(bench.run("- {name: never, type: probe}"))));
  }

  @Test
  void a_replica_that_freezes_with_a_lock_on_another_replicas_run_costs_it_no_lease() {
    keepsItsLeases((store, held) -> store.cancel(held, RunStore.Cancel.REQUESTED, clock.instant()));
  }

  private void keepsItsLeases(BiConsumer<RunStore, UUID> freezes) {
    CountDownLatch goOn = new CountDownLatch(1);
    bench.probe.on(
        "long",
        call -> {
          new CountDownLatch(1).await();
          return Probe.DONE;
        });
    bench.probe.on(
        "one",
        call -> {
          goOn.await();
          return Probe.DONE;
        });
    UUID held = bench.start(healthy, "- {name: long, type: probe}");
    UUID writing = bench.start(healthy, "- {name: one, type: probe}\n- {name: two, type: probe}");
    dispatcher.signal();
    await().until(() -> bench.probe.calls.size() == 2);

    // At the worst moment: shortly before the next heartbeat.
    await()
        .pollInterval(Duration.ofMillis(20))
        .until(() -> leaseOf(held).isBefore(clock.instant().plus(LEASE).minusMillis(1500)));
    proxy.watch(PostgresProxy.CommitWatch.holding(frozen, awake));
    CompletableFuture<Void> lost =
        CompletableFuture.runAsync(() -> freezes.accept(freezing, held)).exceptionally(e -> null);
    await().until(() -> frozen.getCount() == 0);
    Instant since = clock.instant();
    goOn.countDown();

    bench.awaitState(writing, "succeeded");
    await().until(() -> leaseOf(held).isAfter(since.plusSeconds(6).plus(LEASE)));
    assertThat(bench.counts.lost).as("leases").hasValue(0);
    assertThat(bench.text("SELECT epoch FROM runs WHERE id = ?", held)).isEqualTo("1");
    assertThat(bench.text("SELECT epoch FROM runs WHERE id = ?", writing)).isEqualTo("1");
    awake.countDown();
    lost.join();
  }

  private Instant leaseOf(UUID run) {
    return bench
        .database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT claimable_at FROM runs WHERE id = ?")
                    .bind(0, run)
                    .mapTo(Instant.class)
                    .one());
  }
}
