package dev.slipway.gotemplate;

import java.time.Duration;

/**
 * What one execution may use. Each limit has its own error.
 *
 * @param output characters written, and the bytes (UTF-8) of any single text that a function gives
 * @param elements of any list or map that a function gives
 * @param steps actions, operations and units of work charged by functions
 * @param iterations turns of all {@code range} loops together
 * @param depth nested template calls, and nesting of values while printing them
 * @param time wall clock time
 */
public record Limits(
    long output, int elements, long steps, long iterations, int depth, Duration time) {
  /** 1 MiB of output, 10,000 elements, a million steps and iterations, depth 100, ten seconds. */
  public static final Limits DEFAULT =
      new Limits(1 << 20, 10_000, 1_000_000, 1_000_000, 100, Duration.ofSeconds(10));

  public Limits {
    if (output < 1
        || elements < 1
        || steps < 1
        || iterations < 1
        || depth < 1
        || !time.isPositive()) {
      throw new IllegalArgumentException("every limit must be positive");
    }
  }

  public Limits withOutput(long characters) {
    return new Limits(characters, elements, steps, iterations, depth, time);
  }

  public Limits withSteps(long count) {
    return new Limits(output, elements, count, iterations, depth, time);
  }

  public Limits withIterations(long count) {
    return new Limits(output, elements, steps, count, depth, time);
  }

  public Limits withDepth(int levels) {
    return new Limits(output, elements, steps, iterations, levels, time);
  }

  public Limits withTime(Duration duration) {
    return new Limits(output, elements, steps, iterations, depth, duration);
  }
}
