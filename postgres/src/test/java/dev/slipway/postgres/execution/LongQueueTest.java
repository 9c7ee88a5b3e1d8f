package dev.slipway.postgres.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.NewRun;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** However long the queue, a replica holds only as many runs as it is set to. */
class LongQueueTest {
  private static final int QUEUED = 500;
  private static final int HELD = 20;

  @Test
  void the_queue_stays_in_the_database_and_a_replica_holds_a_bounded_part_of_it() {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger most = new AtomicInteger();
    try (Bench bench = new Bench()) {
      Bench.Replica replica = bench.replica("a", settings -> settings.withRuns(HELD, HELD / 2));
      bench.probe.on(
          "one",
          call -> {
            most.accumulateAndGet(replica.dispatcher.active(), Math::max);
            gate.await();
            return Probe.DONE;
          });
      NewRun first = bench.run("- {name: one, type: probe}");
      List<NewRun> all = Stream.generate(() -> bench.copy(first)).limit(QUEUED).toList();
      replica.runs.insert(all);

      await().until(() -> bench.probe.calls.size() == HELD);
      assertThat(replica.dispatcher.active()).isEqualTo(HELD);
      assertThat(count(bench, "state = 'running' AND owner IS NOT NULL")).isEqualTo(HELD);
      assertThat(count(bench, "state = 'pending' AND owner IS NULL")).isEqualTo(QUEUED - HELD);

      gate.countDown();
      await().until(() -> count(bench, "state = 'succeeded'") == QUEUED);
      assertThat(bench.probe.keys()).hasSize(QUEUED).doesNotHaveDuplicates();
      assertThat(most).hasValueLessThanOrEqualTo(HELD);
    }
  }

  private static int count(Bench bench, String which) {
    return bench
        .database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT count(*) FROM runs WHERE " + which)
                    .mapTo(Integer.class)
                    .one());
  }
}
