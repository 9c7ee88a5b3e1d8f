package dev.slipway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CallThreadsTest {
  private final CallThreads threads = new CallThreads();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void when_all_of_them_are_busy_the_next_call_is_carried_out_where_it_came_in() throws Exception {
    List<Thread> callers = new ArrayList<>();
    CountDownLatch busy = new CountDownLatch(64);
    for (int i = 0; i < 64; i++) {
      callers.add(Thread.ofVirtual().start(() -> called(busy)));
    }
    assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
    Thread[] where = new Thread[1];
    threads.call(
        () -> {
          where[0] = Thread.currentThread();
          return Answer.ok("done");
        });
    assertThat(where[0]).isSameAs(Thread.currentThread());
    end.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    threads.close();
  }

  @Test
  void stopping_waits_for_calls_under_way() throws InterruptedException {
    Thread caller = Thread.ofVirtual().start(() -> called(begun));
    begun.await();
    Thread stopping = Thread.ofVirtual().start(threads::close);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
    end.countDown();
    stopping.join();
    caller.join();
  }

  @Test
  void a_caller_whose_change_is_interrupted_is_answered_that_the_server_stops() throws Exception {
    FutureTask<Exception> why = new FutureTask<>(() -> catchException(() -> call(begun)));
    Thread caller = Thread.ofVirtual().start(why);
    begun.await();
    caller.interrupt();
    Problem problem = Failures.problem(why.get(), "/api/teams");
    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem.kind()).isEqualTo("stopping");
    assertThat(problem.detail()).contains("Idempotency-Key").doesNotContain("othing was changed");
    end.countDown();
    threads.close();
  }

  @Test
  void a_call_that_comes_when_they_are_closed_is_not_carried_out() {
    threads.close();
    CompletableFuture<Boolean> carriedOut = new CompletableFuture<>();
    Exception why =
        catchException(
            () ->
                threads.call(
                    () -> {
                      carriedOut.complete(true);
                      return Answer.ok("done");
                    }));
    assertThat(carriedOut).isNotDone();
    assertThat(Failures.problem(why, "/api/teams").kind()).isEqualTo("stopping");
  }

  private void called(CountDownLatch here) {
    try {
      call(here);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Answer call(CountDownLatch here) throws Exception {
    return threads.call(
        () -> {
          here.countDown();
          end.await();
          return Answer.ok("done");
        });
  }
}
