package dev.slipway.web;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the reader of a stream is still permitted. Tokens are revoked, accounts disabled and
 * roles removed while a stream is open, so permissions are looked up again every few seconds. While
 * the database cannot answer, the last result counts, for a minute at most.
 */
public final class StreamRights {
  /** The longest time that a stream outlives a revoked permission. */
  public static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);

  private static final Duration LONGEST_UNCHECKED = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(StreamRights.class);

  private final BooleanSupplier held;
  private long checked = System.nanoTime();
  private long tried = checked;

  /** {@code held} looks the permissions up. The call itself was authorised just before. */
  public StreamRights(BooleanSupplier held) {
    this.held = held;
  }

  /** The last result, looked up again when it is older than {@link #BETWEEN_CHECKS}. */
  public boolean stillHeld() {
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
      LOG.warn("the permissions of a stream's reader cannot be checked now: {}", e.getMessage());
      return now - checked < LONGEST_UNCHECKED.toNanos();
    }
  }
}
