package dev.slipway.engine.execute;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.UUID;

/**
 * Ids of runs that other runs make: UUIDs of version 7, so that they sort by time, with a hash of
 * the run's purpose in place of the random bits.
 */
final class ChildId {
  private ChildId() {}

  static UUID of(String purpose, Instant now) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(purpose.getBytes(StandardCharsets.UTF_8));
      ByteBuffer bits = ByteBuffer.wrap(hash);
      long high = now.toEpochMilli() << 16 | 0x7000L | bits.getLong() & 0x0FFFL;
      long low = bits.getLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
      return new UUID(high, low);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
