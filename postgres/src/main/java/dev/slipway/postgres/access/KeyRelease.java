package dev.slipway.postgres.access;

import dev.slipway.engine.threads.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Idempotency keys of requests that failed while the database was unreachable. They are freed when
 * it is back: otherwise a client that repeats its request would be answered that the first one is
 * still executing.
 */
final class KeyRelease {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRelease.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** Further keys expire after {@link RepeatedRequests#ABANDONED} instead. */
  private static final int MOST = 10_000;

  /** Frees one key; fails while the database is unreachable. */
  interface Freeing {
    void free(RepeatedRequests.Request request, RepeatedRequests.Verdict.First first);
  }

  private record Taken(RepeatedRequests.Request request, RepeatedRequests.Verdict.First first) {}

  private final Set<Taken> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean working = new AtomicBoolean();
  private final Freeing freeing;
  private final Threads threads;

  KeyRelease(Freeing freeing, Threads threads) {
    this.freeing = freeing;
    this.threads = threads;
  }

  void add(RepeatedRequests.Request request, RepeatedRequests.Verdict.First first) {
    if (waiting.size() < MOST) {
      waiting.add(new Taken(request, first));
    }
    begin();
  }

  private void begin() {
    if (!waiting.isEmpty() && working.compareAndSet(false, true)) {
      threads.start("frees keys", this::work);
    }
  }

  private void work() {
    try {
      while (!waiting.isEmpty()) {
        Thread.sleep(AGAIN);
        freeAll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      working.set(false);
    }
    begin(); // for a key that was added after the last poll
  }

  private void freeAll() {
    try {
      for (Taken taken : waiting) {
        freeing.free(taken.request(), taken.first());
        waiting.remove(taken);
      }
    } catch (RuntimeException e) {
      LOG.debug("keys of failed requests cannot be freed yet: {}", e.getMessage());
    }
  }
}
