package dev.slipway.promises;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches this machine's wall clock against its timer. A virtual machine that is suspended or moved
 * comes back with another time of day; what was dated before and after cannot be compared without
 * knowing by how much.
 */
final class Jumps implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(10);

  /** Less is the time between two looks. */
  private static final Duration WORTH_KNOWING = Duration.ofMillis(10);

  /** For as long a replica may date what it writes by the time before: see its clock. */
  private static final Duration FOLLOWED = Duration.ofSeconds(5);

  /** The clock was set to {@code at}, later by so much than it was. */
  record Jump(Instant at, Duration by) {}

  /** The time of day at a moment of the timer. */
  private record Look(Instant wall, long nanoTime) {
    /** Both at the same moment, as far as the scheduler lets it. */
    static Look now() {
      while (true) {
        long before = System.nanoTime();
        Instant wall = Instant.now();
        if (System.nanoTime() - before < WORTH_KNOWING.toNanos() / 10) {
          return new Look(wall, before);
        }
      }
    }

    Duration ahead(Look earlier) {
      return Duration.between(earlier.wall, wall)
          .minus(Duration.ofNanos(nanoTime - earlier.nanoTime));
    }
  }

  private final List<Jump> seen = new ArrayList<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("jumps").unstarted(this::watch);

  /** Watches from now on. */
  static Jumps watching() {
    Jumps jumps = new Jumps();
    jumps.thread.start();
    return jumps;
  }

  private void watch() {
    Look last = Look.now();
    while (!Thread.interrupted()) {
      LockSupport.parkNanos(EVERY.toNanos());
      Look next = Look.now();
      add(new Jump(next.wall(), next.ahead(last)));
      last = next;
    }
  }

  /** Keeps it, if it is one. */
  void add(Jump jump) {
    if (jump.by().abs().compareTo(WORTH_KNOWING) > 0) {
      synchronized (seen) {
        seen.add(jump);
      }
    }
  }

  /** How much two times may be apart that a replica and another one wrote down. */
  Duration between(Instant a, Instant b) {
    Instant first = a.isBefore(b) ? a : b;
    Instant last = a.isBefore(b) ? b : a;
    return all().stream()
        .filter(
            jump ->
                jump.at().isAfter(first.minus(FOLLOWED).minus(jump.by().abs()))
                    && jump.at().isBefore(last.plus(FOLLOWED).plus(jump.by().abs())))
        .map(jump -> jump.by().abs())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** How long it really was from one time of this machine to another. */
  Duration elapsed(Instant from, Instant to) {
    return all().stream()
        .filter(jump -> jump.at().isAfter(from) && !jump.at().isAfter(to))
        .map(Jump::by)
        .reduce(Duration.between(from, to), Duration::minus);
  }

  /** All of them. */
  List<Jump> all() {
    synchronized (seen) {
      return List.copyOf(seen);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  @Override
  public String toString() {
    return all().isEmpty() ? "this machine's clock did not jump" : "this machine's clock: " + all();
  }
}
