package dev.slipway.server.api;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.postgres.runs.FollowedLogs.Progress;
import dev.slipway.postgres.runs.FollowedLogs.State;
import dev.slipway.postgres.runs.FollowedLogs.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps whose logs clients follow at this replica. One thread polls the database for all of
 * them with one query, twice a second and only while there are readers; readers wait in memory
 * until their step has changed, however many follow the same one.
 */
final class FollowedSteps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedSteps.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final FollowedLogs logs;
  private final Map<Step, Feed> feeds = new HashMap<>();
  private final Thread thread;
  private boolean closed;

  FollowedSteps(FollowedLogs logs, Threads threads) {
    this.logs = logs;
    this.thread = threads.attend("followed-logs", this::work);
  }

  private static final class Feed {
    private int readers;
    private long changes;
    private Progress progress = new Progress("", State.RUNNING);
  }

  /** The state of a step that a reader has seen: a change counter, and whether it has ended. */
  record Seen(long changes, State state) {
    static final Seen NOTHING = new Seen(-1, State.RUNNING);
  }

  /** One reader of a step; closing the last one stops the polling. */
  final class Reader implements AutoCloseable {
    private final Step step;
    private final Feed feed;

    private Reader(Step step, Feed feed) {
      this.step = step;
      this.feed = feed;
    }

    /**
     * Waits until the step has changed since {@code seen}, at most that long; returns its state.
     */
    Seen await(Seen seen, Duration atMost) throws InterruptedException {
      long end = System.nanoTime() + atMost.toNanos();
      synchronized (FollowedSteps.this) {
        while (!closed && feed.changes <= seen.changes()) {
          long left = end - System.nanoTime();
          if (left <= 0) {
            break;
          }
          FollowedSteps.this.wait(left / 1_000_000 + 1);
        }
        return new Seen(feed.changes, closed ? State.ENDED : feed.progress.state());
      }
    }

    @Override
    public void close() {
      synchronized (FollowedSteps.this) {
        if (--feed.readers == 0) {
          feeds.remove(step);
        }
      }
    }
  }

  /** Registers a reader of that step. */
  synchronized Reader follow(Step step) {
    Feed feed = feeds.computeIfAbsent(step, s -> new Feed());
    feed.readers++;
    notifyAll();
    return new Reader(step, feed);
  }

  /** The number of polled steps. */
  synchronized int steps() {
    return feeds.size();
  }

  private void work() {
    try {
      while (true) {
        look(followed());
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      LOG.debug("logs are no longer followed");
    }
  }

  private synchronized Set<Step> followed() throws InterruptedException {
    while (feeds.isEmpty()) {
      wait();
    }
    return Set.copyOf(feeds.keySet());
  }

  private void look(Set<Step> steps) {
    try {
      Map<Step, Progress> found = logs.of(steps);
      synchronized (this) {
        found.forEach(this::changed);
        notifyAll();
      }
    } catch (RuntimeException e) {
      LOG.warn("the logs that are followed cannot be read, trying again: {}", e.getMessage());
    }
  }

  private void changed(Step step, Progress progress) {
    Feed feed = feeds.get(step);
    if (feed != null && !feed.progress.equals(progress)) {
      feed.progress = progress;
      feed.changes++;
    }
  }

  /** Ends all readers. */
  @Override
  public void close() {
    thread.interrupt();
    synchronized (this) {
      closed = true;
      notifyAll();
    }
  }
}
