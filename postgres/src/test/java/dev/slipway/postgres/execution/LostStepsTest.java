package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;

import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunStore.Cancel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps of a run that is not ours any more: they are asked to stop, and have time for it. */
class LostStepsTest {
  private static final Duration BEAT = Bench.LEASE.dividedBy(5);

  private final Bench bench = new Bench();
  private final Bench.Replica other = bench.replica("b", settings -> settings.withRuns(0, 1));
  private final CountDownLatch farewell = new CountDownLatch(1);
  private final AtomicInteger interrupts = new AtomicInteger();
  private final AtomicInteger beats = new AtomicInteger();
  private final Dispatcher dispatcher =
      new Dispatcher(
          bench.engineContext(
              counted(other.runs),
              EngineSettings.of(new RunStore.Owner("a", "1")).withLease(Bench.LEASE)));

  @AfterEach
  void stop() {
    farewell.countDown();
    dispatcher.close();
    bench.close();
  }

  @Test
  void a_lost_step_is_asked_once_and_hurried_when_its_lease_is_nearly_over() {
    UUID run = stubborn();
    takenOver(run);
    beat(1);
    await().untilAtomic(interrupts, greaterThanOrEqualTo(1));
    beat(3);
    assertThat(interrupts).as("24 s of 30 are over").hasValue(1);

    bench.turn(Duration.ofSeconds(3));

    await().until(() -> interrupts.get() == 2);
    beat(1);
    farewell.countDown();
    await().until(() -> dispatcher.active() == 0);
    assertThat(interrupts).hasValue(2);
  }

  @Test
  void a_step_that_is_just_being_cancelled_is_not_asked_again_when_its_run_is_lost() {
    UUID run = stubborn();
    other.runs.cancel(run, Cancel.REQUESTED, bench.clock.instant());
    beat(1);
    await().until(() -> interrupts.get() == 1);
    takenOver(run);
    beat(2);
    assertThat(interrupts).hasValue(1);
  }

  @Test
  void a_lease_that_is_lost_counts_once() {
    UUID run = stubborn();
    takenOver(run);
    beat(4);
    assertThat(bench.counts.lost).hasValue(1);
  }

  /** A run with a step that takes its leave when the test lets it. */
  private UUID stubborn() {
    bench.probe.on(
        "work",
        call -> {
          while (true) {
            try {
              if (farewell.await(60, TimeUnit.SECONDS)) {
                return Probe.DONE;
              }
            } catch (InterruptedException e) {
              interrupts.incrementAndGet();
            }
          }
        });
    UUID run = bench.start(other, "- {name: work, type: probe}");
    dispatcher.signal();
    await().until(() -> bench.probe.names().contains("work/1"));
    return run;
  }

  /** By an owner that does nothing more. */
  private void takenOver(UUID run) {
    bench
        .database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE runs SET owner = 'c/1', epoch = epoch + 1, claimable_at = ?"
                        + " WHERE id = ?",
                    bench.clock.instant().plus(Duration.ofHours(1)),
                    run));
  }

  /** Lets so many heartbeats happen, one after the other. */
  private void beat(int times) {
    for (int i = 0; i < times; i++) {
      int before = beats.get();
      bench.turn(BEAT);
      await().pollInterval(Duration.ofMillis(5)).until(() -> beats.get() > before);
    }
  }

  private RunStore counted(RunStore store) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (method.getName().equals("disown")) { // the last thing that a heartbeat does
                  beats.incrementAndGet();
                }
              }
            });
  }
}
