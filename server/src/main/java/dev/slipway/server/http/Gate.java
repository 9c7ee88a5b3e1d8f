package dev.slipway.server.http;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets in as many changing calls as the server can carry out, and turns the others away at once: a
 * caller who is told to come back is better off than one who waits until nobody is served. What is
 * sent with GET is never turned away. What takes work away, such as cancelling, has a lane of its
 * own that other work cannot fill, and so have logins and what waits for other servers than the
 * database. Of those inside a lane only some work at a time, so that connections to the database
 * are left for readers. Documents that are only judged cost as much as changes and count as such.
 */
public final class Gate {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int AT_ONCE = 2;
  private static final int AT_ONCE_OUTSIDE = 4;

  private final AtomicInteger inside = new AtomicInteger();
  private final Map<Route.Lane, Semaphore> turns = new EnumMap<>(Route.Lane.class);
  private final IntSupplier most;
  private final LongSupplier queued;
  private final LongSupplier mostQueued;

  /** With so many changes at once, so many at work, so many runs that wait to begin. */
  public Gate(IntSupplier writes, int turns, LongSupplier queued, LongSupplier mostQueued) {
    this.most = writes;
    this.queued = queued;
    this.mostQueued = mostQueued;
    for (Route.Lane lane : Route.Lane.values()) {
      this.turns.put(lane, new Semaphore(width(lane, turns), true));
    }
  }

  private static int width(Route.Lane lane, int ofChanges) {
    return switch (lane) {
      case CHANGES -> ofChanges;
      case RELIEF, SIGN_IN -> AT_ONCE;
      case OUTSIDE -> AT_ONCE_OUTSIDE;
    };
  }

  /** A place inside; it is given back when closed. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  Place enter(Route route) {
    if (!route.method().changes() || route.lane() != Route.Lane.CHANGES) {
      return () -> {};
    }
    int room = most.getAsInt();
    if (inside.incrementAndGet() > room) {
      inside.decrementAndGet();
      throw Problem.slowDown(
              "This server carries out "
                  + room
                  + " changes at the same time and has no room for another now. Nothing was"
                  + " changed; repeat the call.",
              1)
          .exception();
    }
    try {
      refuseWhenFull(route);
    } catch (RuntimeException e) {
      inside.decrementAndGet();
      throw e;
    }
    return inside::decrementAndGet;
  }

  /**
   * A turn to work, given back when closed. Whoever is inside and has sent all of its request waits
   * for one, in order.
   */
  Place turn(Route route) throws InterruptedException {
    Semaphore lane =
        Objects.requireNonNull(turns.get(route.lane()), "the constructor fills every lane");
    if (!lane.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw Problem.serverBusy().exception();
    }
    return lane::release;
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
