package dev.slipway.engine.execute;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the logs of steps to the store twice a second while there are new lines. */
final class LogFlush {
  private static final Logger LOG = LoggerFactory.getLogger(LogFlush.class);
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final int KEPT_WHILE_AWAY = 2000;

  private final EngineContext context;
  private final Set<StepLogBuffer> open = ConcurrentHashMap.newKeySet();
  private final Deque<StepLogs.Chunk> unsent = new ArrayDeque<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile boolean closed;

  LogFlush(EngineContext context) {
    this.context = context;
  }

  void opened(StepLogBuffer buffer) {
    open.add(buffer);
    schedule();
  }

  /** The step ended: what it said last is stored before its end is. */
  void ended(StepLogBuffer buffer) {
    open.remove(buffer);
    if (buffer.used()) {
      store(List.of(buffer));
    }
  }

  void close() {
    closed = true;
    flush();
  }

  private void schedule() {
    if (closed || !scheduled.compareAndSet(false, true)) {
      return;
    }
    context
        .alarms()
        .at(
            context.clock().instant().plus(EVERY),
            () -> {
              scheduled.set(false);
              context.threads().start("logs", this::flush);
            });
  }

  private void flush() {
    store(open);
    if (!open.isEmpty()) {
      schedule();
    }
  }

  /**
   * Takes and sends under one lock: a step that ends waits for the flush that has just taken its
   * lines.
   */
  private synchronized void store(Collection<StepLogBuffer> buffers) {
    for (StepLogBuffer buffer : buffers) {
      buffer.take(context.clock().instant()).ifPresent(unsent::add);
    }
    if (unsent.isEmpty()) {
      return;
    }
    try {
      context.logs().append(List.copyOf(unsent));
      unsent.clear();
    } catch (RuntimeException e) {
      LOG.warn("logs of steps wait for the database: {}", e.getMessage());
      while (unsent.size() > KEPT_WHILE_AWAY) {
        unsent.removeFirst();
      }
      schedule();
    }
  }
}
