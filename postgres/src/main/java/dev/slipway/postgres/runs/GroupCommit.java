package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RefusedWriteException;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.Faults;
import dev.slipway.postgres.OwnConnection;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the transitions of many runs in one transaction. One thread per replica takes whatever has
 * gathered while the last transaction was committed; the busier it is, the more share the next one.
 *
 * <p>While the database is away it tries again and callers wait. When a connection dies the commit
 * may have happened or not: the next try recognises its own rows by their version.
 */
final class GroupCommit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /**
   * Rows are found one by one in the order of the arrays, never by reading whole tables: every
   * transaction locks rows in that order, so that no deadlock can arise.
   */
  static final String PLANS =
      "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
          + " -c plan_cache_mode=force_generic_plan";

  private static final int LARGEST_BATCH = 500;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final OwnConnection own;
  private final SecretBox box;
  private final Notifications notifications;
  private final BlockingQueue<Waiting> queue;
  private final Thread thread;
  private volatile boolean closed;

  private record Waiting(RunWrite write, CompletableFuture<Outcome> outcome) {}

  /** Whether an earlier try may have been committed. */
  enum Earlier {
    NONE,
    UNKNOWN
  }

  GroupCommit(
      Database.Address address, Notifications notifications, SecretBox box, Threads threads) {
    this.box = box;
    this.own =
        new OwnConnection(
            address, "slipway writer", PLANS, OwnConnection.Work.IN_TRANSACTIONS, LONGEST_ANSWER);
    this.notifications = notifications;
    this.queue = threads.mailbox();
    this.thread = threads.attend("group-commit", this::run);
  }

  /**
   * The future always completes: an entry is failed by {@link #close} when it is in the queue by
   * then, and by this caller when it comes later.
   */
  CompletableFuture<Outcome> submit(RunWrite write) {
    Waiting waiting = new Waiting(write, new CompletableFuture<>());
    queue.add(waiting);
    if (closed && queue.remove(waiting)) {
      fail(List.of(waiting));
    }
    return waiting.outcome();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    own.close();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    failQueued();
  }

  private void failQueued() {
    List<Waiting> left = new ArrayList<>();
    queue.drainTo(left);
    fail(left);
  }

  private static void fail(List<Waiting> waiting) {
    waiting.forEach(
        w ->
            w.outcome()
                .completeExceptionally(new IllegalStateException("the run store is closed")));
  }

  private void run() {
    List<Waiting> batch = new ArrayList<>(LARGEST_BATCH);
    try {
      while (!closed) {
        batch.clear();
        batch.add(queue.take());
        queue.drainTo(batch, LARGEST_BATCH - 1);
        write(batch);
      }
    } catch (InterruptedException e) {
      LOG.debug("the writer stops");
    } finally {
      // Also when an Error ends this thread: a worker that waits for its write must learn of it,
      // so that it stops its steps and gives its run back.
      closed = true;
      fail(batch);
      failQueued();
    }
  }

  private void write(List<Waiting> batch) throws InterruptedException {
    Earlier earlier = Earlier.NONE;
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        commit(batch, earlier);
        return;
      } catch (SQLException | RuntimeException e) {
        SQLException fault = fault(e);
        if (fault != null && Faults.connectionLost(fault)) {
          earlier = Earlier.UNKNOWN;
        } else if (fault == null || !Faults.passing(fault)) {
          refused(batch, e);
          return;
        }
        LOG.warn("{} transitions wait for the database: {}", batch.size(), e.getMessage());
      }
      Thread.sleep(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  /** The database's error, also inside other exceptions. */
  private static @Nullable SQLException fault(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException fault) {
        return fault;
      }
    }
    return null;
  }

  /** One bad row must not fail the whole batch: each is written alone, and the bad one fails. */
  private void refused(List<Waiting> batch, Exception why) throws InterruptedException {
    if (batch.size() == 1) {
      RunWrite write = batch.getFirst().write();
      LOG.error("the database refuses a transition of run {}", write.run(), why);
      batch.getFirst().outcome().completeExceptionally(reason(why));
      return;
    }
    for (Waiting one : batch) {
      write(List.of(one));
    }
  }

  /** What is wrong with the content stays wrong; anything else may be mended meanwhile. */
  private static Exception reason(Exception why) {
    SQLException fault = fault(why);
    boolean content = fault == null ? why instanceof RuntimeException : Faults.content(fault);
    return content
        ? new RefusedWriteException(String.valueOf((fault == null ? why : fault).getMessage()), why)
        : why;
  }

  private void commit(List<Waiting> batch, Earlier earlier) throws SQLException {
    Map<TransitionBatch.Tenure, Outcome> outcomes;
    Set<String> kinds;
    Set<String> signals;
    try {
      Connection connection = own.open();
      TransitionBatch writes =
          new TransitionBatch(connection, box, batch.stream().map(Waiting::write).toList());
      outcomes = writes.commit(earlier);
      kinds = writes.kinds();
      signals = writes.signals();
    } catch (SQLException | RuntimeException e) {
      own.abort(e);
      throw e;
    }
    notifications.announce(Topic.EVENTS, "");
    kinds.forEach(kind -> notifications.announce(Topic.SIGNALS, kind));
    signals.forEach(run -> notifications.announce(Topic.RUNS, run));
    batch.forEach(w -> w.outcome().complete(outcomes.get(TransitionBatch.Tenure.of(w.write()))));
  }
}
