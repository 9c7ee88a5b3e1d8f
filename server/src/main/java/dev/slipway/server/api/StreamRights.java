package dev.slipway.server.api;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the reader of a stream may go on reading. Tokens are revoked, accounts disabled and roles
 * taken away while a stream is open, so they are looked up again now and then. While they cannot be
 * looked up the last answer counts, for a minute at most.
 */
final class StreamRights {
  /** After so long a lost right ends the stream. */
  static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);

  private static final Duration LONGEST_UNCHECKED = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(StreamRights.class);

  private final BooleanSupplier held;
  private long checked = System.nanoTime();
  private long tried = checked;

  /** {@code held} looks them up. The call was authorised just now. */
  StreamRights(BooleanSupplier held) {
    this.held = held;
  }

  /** Looks the rights up when that was some time ago. */
  boolean stillHeld() {
    long now = System.nanoTime();
    if (now - tried < BETWEEN_CHECKS.toNanos()) {
      return true;
    }
    tried = now;
    try {
      boolean may = held.getAsBoolean();
      checked = now;
      return may;
    } catch (RuntimeException e) {
      LOG.warn("whether a reader may go on cannot be checked now: {}", e.getMessage());
      return now - checked < LONGEST_UNCHECKED.toNanos();
    }
  }
}
