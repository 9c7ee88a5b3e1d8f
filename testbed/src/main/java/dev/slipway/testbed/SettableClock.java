package dev.slipway.testbed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test sets it. */
public final class SettableClock implements InstantSource {
  private final AtomicReference<Instant> now;

  /** Starts at this moment. */
  public SettableClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  /** Starts at a moment of 2030, on a whole second. */
  public SettableClock() {
    this(Instant.parse("2030-01-01T12:00:00Z"));
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get(), "the constructor sets it");
  }

  /** Advances it and returns the new time. */
  public Instant advance(Duration by) {
    return now.updateAndGet(t -> t.plus(by));
  }

  /** Sets it, backwards too. */
  public void set(Instant to) {
    now.set(to);
  }
}
