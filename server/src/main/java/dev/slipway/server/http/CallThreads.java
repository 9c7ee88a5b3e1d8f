package dev.slipway.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Threads of the machine for carrying calls out. Virtual ones are for waiting: they share a few
 * threads with all runs that are worked on, and nobody takes a thread away from one that computes.
 * A page would wait behind hundreds of runs each time the database has answered, and behind every
 * large spec that is read. The machine's own scheduler lets a thread that was waiting go first.
 */
final class CallThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);
  private static final int MOST = 64;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(5);

  /** Calls for which there was no thread left; all of them are free when none is under way. */
  private final Semaphore without = new Semaphore(Integer.MAX_VALUE);

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST,
          IDLE.toSeconds(),
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("call-", 0).factory());

  /**
   * Does it there, or here when all of them are busy: nobody waits for a thread. Who is interrupted
   * meanwhile does not learn what becomes of it.
   */
  Answer call(Callable<Answer> work) throws Exception {
    Map<String, String> context = MDC.getCopyOfContextMap();
    Future<Answer> answer;
    try {
      answer = threads.submit(() -> in(context, work));
    } catch (RejectedExecutionException e) {
      return here(work);
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception why ? why : new IllegalStateException(e);
    }
  }

  private Answer here(Callable<Answer> work) throws Exception {
    without.acquireUninterruptibly();
    try {
      if (threads.isShutdown()) {
        throw Problem.stopping("Nothing was changed: send it again.").exception();
      }
      return work.call();
    } finally {
      without.release();
    }
  }

  private static Answer in(Map<String, String> context, Callable<Answer> work) throws Exception {
    MDC.setContextMap(context == null ? Map.of() : context);
    try {
      return work.call();
    } finally {
      MDC.clear();
    }
  }

  /** Waits a little for what is under way: it works with what is closed next. */
  @Override
  public void close() {
    threads.shutdown();
    long until = System.nanoTime() + END.toNanos();
    try {
      boolean ended = threads.awaitTermination(END.toNanos(), TimeUnit.NANOSECONDS);
      long left = until - System.nanoTime();
      boolean none = without.tryAcquire(Integer.MAX_VALUE, left, TimeUnit.NANOSECONDS);
      if (none) {
        // Whoever comes now is told that it stops.
        without.release(Integer.MAX_VALUE);
      }
      if (!ended || !none) {
        LOG.warn("calls are still under way after {} s, the stop goes on", END.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
