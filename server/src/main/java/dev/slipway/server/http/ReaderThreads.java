package dev.slipway.server.http;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of the machine for calls that read. Virtual threads take turns with those of all runs
 * that are worked on, each time the database answers: a page that asks it five times would wait
 * five times behind hundreds of them. The machine's own scheduler lets a thread that was waiting go
 * first.
 */
final class ReaderThreads implements AutoCloseable {
  private static final int MOST = 64;
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST,
          IDLE.toSeconds(),
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("reader-", 0).factory());

  /** Does it there, or here when all of them are busy: nobody waits for a thread. */
  Answer call(Callable<Answer> reading) throws InterruptedException {
    Future<Answer> answer;
    try {
      answer = threads.submit(reading);
    } catch (RejectedExecutionException e) {
      return here(reading);
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e);
    }
  }

  private static Answer here(Callable<Answer> reading) {
    try {
      return reading.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
