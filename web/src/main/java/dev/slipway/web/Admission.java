package dev.slipway.web;

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
 * Admission control for changing calls. A call above the limit gets 429 at once, which is better
 * for the client than a queue in which no call is answered in time. GET requests are never refused.
 * Calls that remove work, such as cancelling, have a lane of their own that other calls cannot
 * fill; so have logins and calls that wait for servers other than the database. Within a lane only
 * some calls execute at a time, so that database connections are left for readers. Validating a
 * document costs as much as a change and counts as one.
 */
public final class Admission {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int AT_ONCE = 2;
  private static final int AT_ONCE_OUTSIDE = 4;

  private final AtomicInteger inside = new AtomicInteger();
  private final Map<Route.Lane, Semaphore> turns = new EnumMap<>(Route.Lane.class);
  private final IntSupplier most;
  private final LongSupplier queued;
  private final LongSupplier mostQueued;

  /** Limits: calls admitted, calls that execute at a time, and runs in the queue. */
  public Admission(IntSupplier writes, int turns, LongSupplier queued, LongSupplier mostQueued) {
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

  /** An admitted call's place; closing releases it. */
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
   * Waits in order for a turn to execute; closing releases it. Only calls that are admitted and
   * whose body has arrived may ask.
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
