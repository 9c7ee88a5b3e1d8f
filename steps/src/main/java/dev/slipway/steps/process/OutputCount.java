package dev.slipway.steps.process;

import java.util.concurrent.atomic.AtomicLong;

/** How much a program has written to both of its streams, and whether that is too much. */
final class OutputCount {
  private final AtomicLong bytes = new AtomicLong();
  private final long most;

  OutputCount(long most) {
    this.most = most;
  }

  /** Counts more; whether it may go on. */
  boolean add(int more) {
    return bytes.addAndGet(more) <= most;
  }

  long bytes() {
    return bytes.get();
  }
}
