package dev.slipway.postgres.access;

import dev.slipway.engine.threads.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys of requests that failed when the database could not be told so. They are freed as soon as it
 * is back: a caller who asks again must not hear that the first request is still being carried out.
 */
final class KeysToFree {
  private static final Logger LOG = LoggerFactory.getLogger(KeysToFree.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** More wait for {@link RepeatedRequests#ABANDONED} instead. */
  private static final int MOST = 10_000;

  /** Frees one; fails while the database is away. */
  interface Freeing {
    void free(RepeatedRequests.Request request, RepeatedRequests.Verdict.First first);
  }

  private record Taken(RepeatedRequests.Request request, RepeatedRequests.Verdict.First first) {}

  private final Set<Taken> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean working = new AtomicBoolean();
  private final Freeing freeing;
  private final Threads threads;

  KeysToFree(Freeing freeing, Threads threads) {
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
    begin(); // for one that was added after the last look
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
