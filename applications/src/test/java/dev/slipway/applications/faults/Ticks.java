package dev.slipway.applications.faults;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.testbed.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Time that passes a hundred times as quickly, second by second. */
final class Ticks {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long PAUSE_MILLIS = 8;

  final SettableClock clock = new SettableClock();
  final Alarms alarms = Alarms.byHand(clock);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ticked = lock.newCondition();
  private final Condition paused = lock.newCondition();

  /** One second. */
  void tick() throws InterruptedException {
    lock.lock();
    try {
      clock.advance(SECOND);
      ticked.signalAll();
    } finally {
      lock.unlock();
    }
    alarms.ring();
    rest();
  }

  /** Time stands still, others go on. */
  void rest() throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
      while (left > 0) {
        left = paused.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for that time. */
  void until(Instant time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (clock.instant().isBefore(time)) {
        ticked.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
