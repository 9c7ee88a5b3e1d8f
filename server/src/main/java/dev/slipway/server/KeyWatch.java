package dev.slipway.server;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.KeyRing;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Resealing;
import dev.slipway.postgres.SealingKey;
import dev.slipway.server.api.KeyApi;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the key file while the server runs, reports the keys of this replica to the database, and
 * reseals secrets of older keys when an administrator asks for it.
 */
final class KeyWatch implements KeyApi.Resealer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
  private static final int LOOKS_PER_REPORT = 5;

  private final DataDirectory data;
  private final SecretBox box;
  private final SealingKey recorded;
  private final Resealing resealing;
  private final Semaphore asked = new Semaphore(0);
  private final Thread thread;
  private volatile Work work = new Work.Idle();
  private int looks;

  /** The progress of resealing. */
  private sealed interface Work {
    /** Not requested since the start. */
    record Idle() implements Work {}

    /** Rows are being resealed. */
    record Running() implements Work {}

    /** No secret is sealed with an older key any more. */
    record Done(String key, long rows) implements Work {}

    /** It ended early; a new request continues it. */
    record Failed(String message) implements Work {}
  }

  KeyWatch(
      DataDirectory data,
      SecretBox box,
      SealingKey recorded,
      Resealing resealing,
      Threads threads) {
    this.data = data;
    this.box = box;
    this.recorded = recorded;
    this.resealing = resealing;
    report();
    this.thread = threads.attend("key-watch", this::watch);
  }

  @Override
  public Map<String, Object> progress() {
    return switch (work) {
      case Work.Idle idle -> Map.of("state", "idle");
      case Work.Running running -> Map.of("state", "running");
      case Work.Done(String key, long rows) -> Map.of("state", "done", "key", key, "rows", rows);
      case Work.Failed(String message) -> Map.of("state", "failed", "message", message);
    };
  }

  @Override
  public void reseal() {
    work = new Work.Running();
    asked.release();
  }

  private void watch() {
    try {
      while (true) {
        boolean wanted = asked.tryAcquire(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        look();
        if (wanted) {
          asked.drainPermits();
          carryOut();
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the key file is no longer watched");
    }
  }

  private void look() {
    try {
      KeyRing now = data.keysNow();
      if (!now.equals(box.keys())) {
        box.use(now);
        LOG.info("the key file has changed: {}", now);
        report();
      } else if (++looks % LOOKS_PER_REPORT == 0) {
        report();
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("the key file cannot be read, the previous keys stay in use: {}", e.getMessage());
    }
  }

  private void report() {
    try {
      KeyRing keys = box.keys();
      recorded.report(new SealingKey.ReplicaKeys(data.replica(), keys.sealing(), keys.opening()));
    } catch (RuntimeException e) {
      LOG.warn("the keys of this replica could not be recorded: {}", e.getMessage());
    }
  }

  private void carryOut() {
    try {
      String key = box.keys().sealing();
      long rows = 0;
      for (long some = resealing.all(); some > 0; some = resealing.all()) {
        rows += some;
      }
      work = new Work.Done(key, rows);
      LOG.info("{} rows were sealed again, every row is sealed with key {}", rows, key);
    } catch (RuntimeException e) {
      work = new Work.Failed(String.valueOf(e.getMessage()));
      LOG.warn("some rows could not be sealed again, repeat the request to continue", e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join(Duration.ofSeconds(10));
    recorded.forget(data.replica());
  }
}
