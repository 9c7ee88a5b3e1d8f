package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a replica asks for runs. */
class ClaimingTest {
  private static final String STEP = "- {name: one, type: probe}";

  private final Bench bench = new Bench();
  private final AtomicInteger claims = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void stop() {
    over.countDown();
    bench.close();
  }

  @Test
  void every_place_is_used_also_when_few_are_left() {
    bench.probe.on(
        "one",
        call -> {
          over.await();
          return Probe.DONE;
        });
    Bench.Replica replica = bench.replica("a", settings -> settings.withRuns(40, 20));
    fills(replica, 25, 25);
    fills(replica, 10, 35);
    fills(replica, 10, 40);
  }

  private void fills(Bench.Replica replica, int more, int executing) {
    NewRun first = bench.run(STEP);
    replica.runs.insert(Stream.generate(() -> bench.copy(first)).limit(more).toList());
    await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              bench.turn(Duration.ofMillis(50));
              return bench.probe.calls.size() == executing;
            });
  }

  @Test
  void a_due_run_whose_row_is_locked_is_claimed_again_at_an_interval() {
    Bench.Replica other = bench.replica("b", settings -> settings.withRuns(0, 1));
    UUID run = bench.start(other, STEP);
    try (Handle locking = bench.database.jdbi().open()) {
      locking.begin();
      locking.execute("SELECT 1 FROM runs WHERE id = ? FOR UPDATE", run);
      Dispatcher dispatcher = new Dispatcher(engineContext(other.runs, ProviderFiles.LOCAL));
      try {
        long since = System.nanoTime();
        await().pollDelay(Duration.ofSeconds(1)).until(() -> claims.get() > 2);
        long most = (System.nanoTime() - since) / Duration.ofMillis(100).toNanos() + 3;
        assertThat(claims.get()).isLessThanOrEqualTo((int) most);
        locking.rollback();
        bench.awaitState(run, "succeeded");
      } finally {
        dispatcher.close();
      }
    }
  }

  /** It has never work, and would be the first to take it each time. */
  @Test
  void a_replica_that_lacks_files_lets_others_go_first() {
    Bench.Replica other = bench.replica("b", settings -> settings.withRuns(0, 1));
    UUID run = bench.start(other, STEP);
    Dispatcher lacking = new Dispatcher(engineContext(other.runs, NO_FILES));
    try {
      await().until(() -> bench.text("SELECT epoch FROM runs WHERE id = ?", run).equals("1"));
      await().until(() -> lacking.active() == 0);
      // A worker that gave its run back has recorded the missing programs; the next claim comes
      // later.
      await().until(() -> lookAndCount(lacking).compareTo(Duration.ofMillis(900)) > 0);
    } finally {
      lacking.close();
    }
  }

  private Duration lookAndCount(Dispatcher dispatcher) {
    int before = claims.get();
    long since = System.nanoTime();
    dispatcher.signal();
    await().pollInterval(Duration.ofMillis(2)).until(() -> claims.get() > before);
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static final ProviderFiles NO_FILES =
      new ProviderFiles() {
        @Override
        public @Nullable String directory(DefinitionSnapshot definition) {
          return null;
        }

        @Override
        public void ensure(DefinitionSnapshot definition) {
          throw new IllegalStateException("the repository cannot be reached");
        }
      };

  private EngineContext engineContext(RunStore runs, ProviderFiles files) {
    return bench.engineContext(
        counted(runs),
        EngineSettings.of(new RunStore.Owner("a", "1")).withLease(Bench.LEASE),
        bench.clock,
        bench.alarms,
        files);
  }

  /** With another replica beside it. */
  private RunStore counted(RunStore store) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("others")) {
                return 1;
              }
              if (method.getName().equals("claim")) {
                claims.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
