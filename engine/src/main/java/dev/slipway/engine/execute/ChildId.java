package dev.slipway.engine.execute;

import dev.slipway.engine.value.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

/**
 * Ids of runs that other runs make: UUIDs of version 7, so that they sort by time, with a hash of
 * the run's purpose in place of the random bits.
 */
final class ChildId {
  private ChildId() {}

  static UUID of(String purpose, Instant now) {
    ByteBuffer bits = ByteBuffer.wrap(Sha256.of(purpose));
    long high = now.toEpochMilli() << 16 | 0x7000L | bits.getLong() & 0x0FFFL;
    long low = bits.getLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
