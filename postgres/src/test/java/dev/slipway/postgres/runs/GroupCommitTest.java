package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transition that is submitted while the writer is closed: its future completes. */
class GroupCommitTest {
  private static final int ROUNDS = 200;
  private static final int CALLERS = 4;

  private Database database;
  private Notifications notifications;

  @BeforeEach
  void open() {
    database = MigratedDatabase.open();
    notifications = new Notifications(database);
  }

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  /** Where in the queue's life the writer is closed. */
  enum Moment {
    BEFORE_THE_ENTRY,
    AFTER_THE_ENTRY,
    WHILE_A_BATCH_IS_TAKEN
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void whenever_the_writer_is_closed_the_future_completes(Moment moment) throws Exception {
    CompletableFuture<GroupCommit> made = new CompletableFuture<>();
    GroupCommit writer = writer(new ClosingThreads(moment, () -> close(made.join())));
    made.complete(writer);

    CompletableFuture<Outcome> outcome = writer.submit(write());

    assertThat(outcome.handle((done, why) -> "completed").get(30, TimeUnit.SECONDS))
        .isEqualTo("completed");
    writer.close();
  }

  @Test
  void of_many_that_race_with_close_every_future_completes() throws Exception {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        GroupCommit writer = writer(Threads.OF_MACHINE);
        CyclicBarrier together = new CyclicBarrier(CALLERS + 1);
        List<Future<List<CompletableFuture<Outcome>>>> submitted = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          submitted.add(callers.submit(() -> submitTen(writer, together)));
        }
        together.await();
        writer.close();
        for (Future<List<CompletableFuture<Outcome>>> each : submitted) {
          for (CompletableFuture<Outcome> outcome : each.get()) {
            assertThat(outcome.handle((done, why) -> "completed").get(30, TimeUnit.SECONDS))
                .isEqualTo("completed");
          }
        }
      }
    }
  }

  private static List<CompletableFuture<Outcome>> submitTen(
      GroupCommit writer, CyclicBarrier together) throws Exception {
    together.await();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      outcomes.add(writer.submit(write()));
    }
    return outcomes;
  }

  private GroupCommit writer(Threads threads) {
    return new GroupCommit(database.address(), notifications, new SecretBox(new byte[32]), threads);
  }

  /** To its end, except on the writer's own thread: there as far as the interrupt. */
  private static void close(GroupCommit writer) {
    if (!Thread.currentThread().getName().equals("group-commit")) {
      writer.close();
      return;
    }
    Thread.startVirtualThread(writer::close);
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private static RunWrite write() {
    return new RunWrite(
        UUID.randomUUID(),
        new RunStore.Fence("a/1", 1),
        1,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        RunWrite.Others.NONE,
        List.of(),
        Instant.EPOCH);
  }

  /** Threads of the machine, with a queue that closes the writer at one moment. */
  private record ClosingThreads(Moment moment, Runnable close) implements Threads {
    @Override
    public Thread start(String name, Runnable work) {
      return OF_MACHINE.start(name, work);
    }

    @Override
    public Thread attend(String name, Runnable work) {
      return OF_MACHINE.attend(name, work);
    }

    @Override
    public <T> BlockingQueue<T> mailbox() {
      return new LinkedBlockingQueue<>() {
        private static final long serialVersionUID = 1L;
        private final AtomicBoolean once = new AtomicBoolean();

        @Override
        public boolean add(T entry) {
          if (moment == Moment.BEFORE_THE_ENTRY) {
            close.run();
          }
          boolean added = super.add(entry);
          if (moment == Moment.AFTER_THE_ENTRY) {
            close.run();
          }
          return added;
        }

        @Override
        public int drainTo(Collection<? super T> batch, int most) {
          if (moment == Moment.WHILE_A_BATCH_IS_TAKEN && once.compareAndSet(false, true)) {
            close.run();
          }
          return super.drainTo(batch, most);
        }
      };
    }

    @Override
    public Semaphore permits(int free) {
      return OF_MACHINE.permits(free);
    }
  }
}
