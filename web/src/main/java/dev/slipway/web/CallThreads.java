package dev.slipway.web;

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
 * Platform threads that execute calls. Virtual threads share a few carrier threads with all running
 * workflows and are not preempted: a page view would queue behind hundreds of runs after each
 * database reply, and behind every large spec that is parsed. The operating system's scheduler
 * prefers threads that were waiting.
 */
final class CallThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);
  private static final int MOST = 64;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * Calls that execute on their own thread because the pool was full; free permits = none active.
   */
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
   * Executes the call on a pool thread, or on the caller's thread when all are busy, so that no
   * call waits for a thread. A caller that is interrupted does not learn the outcome.
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

  /** Waits up to 5 s for active calls, because they use components that are closed next. */
  @Override
  public void close() {
    threads.shutdown();
    long until = System.nanoTime() + END.toNanos();
    try {
      boolean ended = threads.awaitTermination(END.toNanos(), TimeUnit.NANOSECONDS);
      long left = until - System.nanoTime();
      boolean none = without.tryAcquire(Integer.MAX_VALUE, left, TimeUnit.NANOSECONDS);
      if (none) {
        // Later calls are refused in {@link #here} with 503 stopping.
        without.release(Integer.MAX_VALUE);
      }
      if (!ended || !none) {
        LOG.warn("calls are still active after {} s, the shutdown continues", END.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
