package dev.slipway.engine.execute;

import dev.slipway.engine.threads.Threads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls back at given times of one clock, from one thread. What is due is decided by the clock
 * alone, so that a test which turns it by hand only has to say {@link #clockMoved}.
 */
public final class Alarms implements AutoCloseable {
  /** The clock may be corrected during a wait, so no single wait is longer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private record Key(Instant at, long number) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** One that was set. */
  public final class Alarm {
    private final Key key;

    private Alarm(Key key) {
      this.key = key;
    }

    /** Takes it back, if it has not called yet. */
    public void cancel() {
      lock.lock();
      try {
        waiting.remove(key);
      } finally {
        lock.unlock();
      }
    }
  }

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeMap<Key, Runnable> waiting = new TreeMap<>();
  private final @Nullable Thread thread;
  private long numbers;
  private boolean closed;

  /** Of this clock, on a thread of the machine. */
  public Alarms(InstantSource clock) {
    this(clock, Threads.OF_MACHINE);
  }

  /** Of this clock, on one of these threads. */
  public Alarms(InstantSource clock, Threads threads) {
    this(clock, Optional.of(threads));
  }

  private Alarms(InstantSource clock, Optional<Threads> threads) {
    this.clock = clock;
    this.thread = threads.map(t -> t.attend("alarms", this::run)).orElse(null);
  }

  /** Of this clock, but calls back only from {@link #ring}. */
  public static Alarms byHand(InstantSource clock) {
    return new Alarms(clock, Optional.empty());
  }

  /** Calls back, on the caller's thread, whatever is due by now. */
  public void ring() {
    takeDue(clock.instant()).forEach(Runnable::run);
  }

  /** When the next one is due. */
  public Optional<Instant> next() {
    lock.lock();
    try {
      return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.firstKey().at());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Calls back at that time, at once when it has passed. The callback must return quickly and must
   * not fail: one that does ends the replica, because a timer that sets itself again (the
   * heartbeat's) would otherwise be gone without a word.
   */
  public Alarm at(Instant time, Runnable callback) {
    lock.lock();
    try {
      Key key = new Key(time, numbers++);
      waiting.put(key, callback);
      if (waiting.firstKey().equals(key)) {
        changed.signal();
      }
      return new Alarm(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The clock went back: calls everything back that waits, at once. What was set by the time of
   * before would come too late; each callback looks at the clock and sets its alarm again.
   */
  public void clockWentBack() {
    lock.lock();
    try {
      List<Runnable> all = List.copyOf(waiting.values());
      waiting.clear();
      Instant now = clock.instant();
      all.forEach(callback -> waiting.put(new Key(now, numbers++), callback));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The clock jumped: looks at once. */
  public void clockMoved() {
    lock.lock();
    try {
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void run() {
    while (true) {
      List<Runnable> due;
      try {
        due = awaitDue();
      } catch (InterruptedException e) {
        return;
      }
      due.forEach(Runnable::run);
    }
  }

  private List<Runnable> awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed) {
        List<Runnable> due = takeDue(clock.instant());
        if (!due.isEmpty()) {
          return due;
        }
        if (waiting.isEmpty()) {
          changed.await();
        } else {
          changed.await(untilFirst().toNanos(), TimeUnit.NANOSECONDS);
        }
      }
      throw new InterruptedException();
    } finally {
      lock.unlock();
    }
  }

  private Duration untilFirst() {
    Duration left = Duration.between(clock.instant(), waiting.firstKey().at());
    return left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT;
  }

  private List<Runnable> takeDue(Instant now) {
    lock.lock();
    try {
      List<Runnable> due = new ArrayList<>();
      while (!waiting.isEmpty() && !waiting.firstKey().at().isAfter(now)) {
        due.add(waiting.pollFirstEntry().getValue());
      }
      return due;
    } finally {
      lock.unlock();
    }
  }
}
