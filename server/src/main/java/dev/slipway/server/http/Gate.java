package dev.slipway.server.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets in as many changing calls as the server can carry out, and turns the others away at once: a
 * caller who is told to come back is better off than one who waits until nobody is served. Reading
 * is never turned away, and neither is what takes work away, such as cancelling. Of those inside
 * only some work at a time, so that connections to the database are left for readers.
 */
public final class Gate {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Semaphore writes;
  private final Semaphore turns;
  private final int most;
  private final LongSupplier queued;
  private final LongSupplier mostQueued;

  /** With so many changing calls at once, so many at work, so many runs that wait to begin. */
  public Gate(int writes, int turns, LongSupplier queued, LongSupplier mostQueued) {
    this.most = writes;
    this.turns = new Semaphore(turns, true);
    this.writes = new Semaphore(writes);
    this.queued = queued;
    this.mostQueued = mostQueued;
  }

  /** A place inside; it is given back when closed. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  Place enter(Route route) {
    if (!route.method().changes()) {
      return () -> {};
    }
    if (!writes.tryAcquire()) {
      throw Problem.slowDown(
              "This server carries out "
                  + most
                  + " changes at the same time and has no room for another now. Nothing was"
                  + " changed; repeat the call.",
              1)
          .exception();
    }
    try {
      refuseWhenFull(route);
    } catch (RuntimeException e) {
      writes.release();
      throw e;
    }
    return writes::release;
  }

  /**
   * A turn to work, given back when closed. Whoever is inside and has sent all of its request waits
   * for one, in order.
   */
  Place turn() throws InterruptedException {
    if (!turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw Problem.databaseBusy().exception();
    }
    return turns::release;
  }

  private void refuseWhenFull(Route route) {
    if (route.traits().contains(Route.Trait.STARTS_RUNS)) {
      long waiting = queued.getAsLong();
      if (waiting >= mostQueued.getAsLong()) {
        throw Problem.queueFull(waiting).exception();
      }
    }
  }
}
