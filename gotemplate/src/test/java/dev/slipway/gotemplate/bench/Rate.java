package dev.slipway.gotemplate.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Work done per second on the clock, and per second of processor time of the whole process (garbage
 * collector and compiler included), which a busy machine changes less.
 */
record Rate(double clock, double processor) {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final double SECOND = 1e9;
  private static final double WARM_UP_SECONDS = 4;
  private static final int ROUNDS = 5;

  static Rate of(JsonNode json) {
    return new Rate(json.get("clock").asDouble(), json.get("processor").asDouble());
  }

  /** The best of five seconds, after the warm-up. */
  static Rate measure(Runnable work) {
    perSecond(work, WARM_UP_SECONDS);
    Rate best = new Rate(0, 0);
    for (int round = 0; round < ROUNDS; round++) {
      Rate rate = perSecond(work, 1);
      best = new Rate(Math.max(best.clock, rate.clock), Math.max(best.processor, rate.processor));
    }
    return best;
  }

  private static Rate perSecond(Runnable work, double seconds) {
    long start = System.nanoTime();
    long processor = SYSTEM.getProcessCpuTime();
    long count = 0;
    while (System.nanoTime() - start < seconds * SECOND) {
      for (int i = 0; i < 20; i++) {
        work.run();
      }
      count += 20;
    }
    return new Rate(
        count * SECOND / (System.nanoTime() - start),
        count * SECOND / (SYSTEM.getProcessCpuTime() - processor));
  }

  /** A part of a line of the table: both rates on the clock, and how many times faster Java is. */
  String against(Rate go) {
    return "%10.0f %10.0f %6.2f %6.2f"
        .formatted(go.clock, clock, clock / go.clock, processor / go.processor);
  }
}
