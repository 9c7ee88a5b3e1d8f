package dev.slipway.steps.process;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a program writes to both of its streams, up to a limit. */
final class OutputCount {
  private final AtomicLong bytes = new AtomicLong();
  private final long most;

  OutputCount(long most) {
    this.most = most;
  }

  /** Adds to the count; false when the limit is exceeded. */
  boolean add(int more) {
    return bytes.addAndGet(more) <= most;
  }

  long bytes() {
    return bytes.get();
  }
}
