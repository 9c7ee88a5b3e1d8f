package dev.slipway.bench;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Ids as the server makes them: UUID version 7. */
final class TimeOrdered {
  private TimeOrdered() {}

  static UUID id(Instant at, int sequence) {
    long high = at.toEpochMilli() << 16 | 0x7000L | sequence & 0xFFF;
    long low = ThreadLocalRandom.current().nextLong() & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
