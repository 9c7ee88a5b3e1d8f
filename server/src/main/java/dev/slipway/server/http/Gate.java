package dev.slipway.server.http;

import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Lets in as many changing calls as the server can carry out, and turns the others away at once: a
 * caller who is told to come back is better off than one who waits until nobody is served. Reading
 * is never turned away, and neither is what takes work away, such as cancelling.
 */
public final class Gate {
  private final Semaphore writes;
  private final int most;
  private final LongSupplier queued;
  private final LongSupplier mostQueued;

  /** With so many changing calls at once, and so many runs that wait to begin. */
  public Gate(int writes, LongSupplier queued, LongSupplier mostQueued) {
    this.most = writes;
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

  private void refuseWhenFull(Route route) {
    if (route.traits().contains(Route.Trait.STARTS_RUNS)) {
      long waiting = queued.getAsLong();
      if (waiting >= mostQueued.getAsLong()) {
        throw Problem.queueFull(waiting).exception();
      }
    }
  }
}
