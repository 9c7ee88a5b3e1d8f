package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LogFlushTest {
  private static final Instant NOW = Instant.parse("2026-03-02T09:00:00Z");

  private final List<StepLogs.Chunk> stored = new ArrayList<>();
  private final AtomicReference<Thread> flushing = new AtomicReference<>();
  private final CountDownLatch between = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void the_last_lines_of_a_step_are_stored_before_its_end_also_when_a_flush_has_just_taken_them()
      throws InterruptedException {
    LogFlush flush = new LogFlush(context());
    List<StepLogBuffer> buffers = List.of(buffer("one"), buffer("two"));
    for (StepLogBuffer buffer : buffers) {
      flush.opened(buffer);
      buffer.line(StepLog.Stream.NOTE, "said");
    }
    Thread flusher = new Thread(flush::close);
    flushing.set(flusher);
    flusher.start();
    between.await();
    AtomicInteger known = new AtomicInteger();
    Thread ending =
        new Thread(
            () -> {
              buffers.forEach(flush::ended);
              synchronized (stored) {
                known.set(stored.size());
              }
            });
    ending.start();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                switch (ending.getState()) {
                  case BLOCKED, WAITING, TERMINATED -> true;
                  case NEW, RUNNABLE, TIMED_WAITING -> false;
                });
    goOn.countDown();
    flusher.join();
    ending.join();

    assertThat(known.get()).isEqualTo(2);
    assertThat(stored).extracting(StepLogs.Chunk::step).containsExactlyInAnyOrder("one", "two");
  }

  private static StepLogBuffer buffer(String step) {
    return new StepLogBuffer(
        new UUID(1, 1),
        step,
        1,
        1,
        InstantSource.fixed(NOW),
        new AtomicReference<>(Secrets.of(List.of())),
        Set.of());
  }

  /** The flush takes the lines of one buffer and is held before it takes those of the other. */
  private Instant now() {
    if (Thread.currentThread() == flushing.get() && asked.incrementAndGet() == 2) {
      between.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return NOW;
  }

  private EngineContext context() {
    InstantSource clock = this::now;
    StepLogs logs =
        chunks -> {
          synchronized (stored) {
            stored.addAll(chunks);
          }
        };
    return new EngineContext(
        null,
        null,
        null,
        null,
        null,
        null,
        logs,
        null,
        null,
        clock,
        Alarms.byHand(clock),
        null,
        null,
        null,
        null);
  }
}
