package dev.slipway.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process after the death of a thread that the replica cannot work without. The regular
 * shutdown releases the runs, so that another replica continues them at once; the supervisor of the
 * process restarts it. Both threads are created at the start, because there may be no memory for
 * new ones later.
 */
final class ProcessEnd {
  /** The exit code after a defect ({@code EX_SOFTWARE} of sysexits). */
  static final int CODE = 70;

  private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

  /** Halts a shutdown that hangs; the leases of its runs end within seconds. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(75);

  private final CountDownLatch died = new CountDownLatch(1);

  ProcessEnd() {
    Thread.ofPlatform().daemon().name("process-end").start(this::stop);
    Thread.ofPlatform().daemon().name("process-halt").start(this::halt);
  }

  /** Starts the shutdown; returns at once. */
  void begin() {
    died.countDown();
  }

  private void stop() {
    try {
      died.await();
      LOG.error("giving the runs back, then ending with code {}", CODE);
    } catch (Throwable t) {
      // The process ends anyway.
    }
    System.exit(CODE);
  }

  private void halt() {
    try {
      died.await();
      TimeUnit.NANOSECONDS.sleep(LONGEST_STOP.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(CODE);
  }
}
