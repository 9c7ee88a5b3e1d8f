package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepCall.Origin;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A write whose answer comes when the lease has ended: another replica may own the run by now. */
class LateStartTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final Bench bench = new Bench();
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final CompletableFuture<Void> answer = new CompletableFuture<>();

  @AfterEach
  void stop() {
    answer.complete(null);
    bench.close();
  }

  /** No heartbeat has noticed the end of the lease: the worker has to look at the clock itself. */
  @Test
  void a_step_whose_beginning_was_written_too_slowly_is_begun_by_the_next_owner_alone() {
    beginsLate(Alarms.byHand(bench.clock), LEASE.plusSeconds(1), 0);
  }

  /** A heartbeat has noticed it: it marks the run as lost while the worker waits for the write. */
  @Test
  void a_worker_that_lost_its_run_while_it_wrote_begins_nothing() {
    beginsLate(bench.alarms, LEASE.minusSeconds(1), 1);
  }

  private void beginsLate(Alarms alarms, Duration after, int lost) {
    Bench.Replica other = bench.replica("b", settings -> settings.withLease(LEASE).withRuns(0, 1));
    RunStore.Owner owner = new RunStore.Owner("a", UUID.randomUUID().toString());
    Dispatcher slow =
        new Dispatcher(
            bench.engineContext(
                slow(other.runs),
                EngineSettings.of(owner).withLease(LEASE),
                bench.clock,
                alarms,
                ProviderFiles.LOCAL));
    UUID run = bench.start(other, "- {name: act, type: probe}");
    slow.signal();
    written.join();
    assertThat(bench.steps(run)).containsEntry("act", "running");

    bench.turn(after);
    await().untilAtomic(bench.counts.lost, greaterThanOrEqualTo(lost));
    answer.complete(null);

    await().until(() -> slow.active() == 0);
    assertThat(bench.probe.calls).isEmpty();
    slow.close();
    bench.turn(LEASE);
    Bench.Replica next = bench.replica("c", settings -> settings.withLease(LEASE));
    next.dispatcher.signal();
    bench.awaitState(run, "succeeded");
    assertThat(bench.probe.calls).extracting(StepCall::origin).containsExactly(Origin.RECOVERED);
  }

  /** Writes, and answers later; leases cannot be prolonged meanwhile. */
  private RunStore slow(RunStore store) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("heartbeat") && !answer.isDone()) {
                throw new IllegalStateException("the database is away");
              }
              Object result;
              try {
                result = method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return result instanceof CompletableFuture<?> future
                  ? future
                      .whenComplete((outcome, failure) -> written.complete(null))
                      .thenCombine(answer, (outcome, late) -> outcome)
                  : result;
            });
  }
}
