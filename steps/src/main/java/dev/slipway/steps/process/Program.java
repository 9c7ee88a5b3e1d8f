package dev.slipway.steps.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What to run. {@code mark} is the step's idempotency key: every process that the program starts
 * carries it in its environment, so that none can hide. {@code stdin} is a file.
 */
public record Program(
    List<String> command,
    Path directory,
    Map<String, String> environment,
    Path stdin,
    Duration timeout,
    String mark) {
  /** The variable that carries the mark. */
  public static final String MARK = "SLIPWAY_IDEMPOTENCY_KEY";
}
