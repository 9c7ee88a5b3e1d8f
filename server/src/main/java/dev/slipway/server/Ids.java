package dev.slipway.server;

import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Ids that sort by age: UUID version 7. */
record Ids(InstantSource clock, RandomGenerator random) implements Supplier<UUID> {
  @Override
  public UUID get() {
    long millis = clock.millis() & 0xFFFF_FFFF_FFFFL;
    long high = millis << 16 | 0x7000L | random.nextLong() & 0x0FFFL;
    long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
