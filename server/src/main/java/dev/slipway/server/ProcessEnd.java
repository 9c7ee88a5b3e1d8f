package dev.slipway.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process after a thread has died that the replica cannot work without. The usual stop
 * gives the runs back, so that another replica continues them at once; what supervises the process
 * starts it again. Both threads exist from the start: there may be no memory for new ones.
 */
final class ProcessEnd {
  /** Tells the end by a defect from any other one ({@code EX_SOFTWARE} of sysexits). */
  static final int CODE = 70;

  private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

  /** A stop that hangs must not keep a replica that does no work; its leases end in seconds. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(75);

  private final CountDownLatch died = new CountDownLatch(1);

  ProcessEnd() {
    Thread.ofPlatform().daemon().name("process-end").start(this::stop);
    Thread.ofPlatform().daemon().name("process-halt").start(this::halt);
  }

  /** Begins to stop; returns at once. */
  void begin() {
    died.countDown();
  }

  private void stop() {
    try {
      died.await();
      LOG.error("giving the runs back, then ending with code {}", CODE);
    } catch (Throwable t) {
      // The process ends all the same.
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
