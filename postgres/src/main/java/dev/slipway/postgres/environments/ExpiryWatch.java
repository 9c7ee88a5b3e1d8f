package dev.slipway.postgres.environments;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends environments on time. Looks when something was reconciled, since a deleted environment waits
 * for the end of what is inside, and at each poll interval.
 */
public final class ExpiryWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryWatch.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private final Expiry expiry;
  private final Notifications notifications;
  private final Duration pollInterval;
  private final Threads threads;
  private final Semaphore signal;
  private Runnable unsubscribe = () -> {};
  private volatile boolean closed;
  private @Nullable Thread thread;

  /** What it needs beside the environments and their occupants. */
  public record Parts(
      PlannedRuns planned, Notifications notifications, Duration pollInterval, Threads threads) {}

  /** Looks once per call of {@code look}, or by timer after {@link #start()}. */
  public ExpiryWatch(EnvironmentStore.Parts environments, List<Occupant> occupants, Parts parts) {
    this.expiry = new Expiry(environments, occupants, parts.planned());
    this.notifications = parts.notifications();
    this.pollInterval = parts.pollInterval();
    this.threads = parts.threads();
    this.signal = threads.permits(0);
  }

  /** Begins. */
  public ExpiryWatch start() {
    unsubscribe = notifications.subscribe(Topic.EVENTS, payload -> signal.release());
    thread = threads.attend("expiry", this::work);
    return this;
  }

  @Override
  public void close() {
    closed = true;
    unsubscribe.run();
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Announces and ends what has had its time. */
  public void enforce() {
    expiry.enforce();
  }

  private void work() {
    while (!closed) {
      try {
        enforce();
      } catch (RuntimeException e) {
        LOG.warn("environments cannot be ended now, trying again: {}", e.toString());
      }
      try {
        Thread.sleep(BETWEEN_LOOKS);
        signal.tryAcquire(pollInterval.toMillis(), TimeUnit.MILLISECONDS);
        signal.drainPermits();
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
