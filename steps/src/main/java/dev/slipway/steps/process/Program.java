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
    String mark,
    Farewell farewell) {
  /** The variable that carries the mark. */
  public static final String MARK = "SLIPWAY_IDEMPOTENCY_KEY";

  /** How it is asked to end, before it is made to. */
  public enum Farewell {
    /** TERM to everything it started. */
    TERMINATE_ALL,
    /**
     * INT to the program alone, which then sees to its own children, also when the server dies: for
     * programs that write down what they have done so far.
     */
    INTERRUPT_LEADER
  }

  /** One that ends on TERM. */
  public Program(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      Path stdin,
      Duration timeout,
      String mark) {
    this(command, directory, environment, stdin, timeout, mark, Farewell.TERMINATE_ALL);
  }

  /** The same, asked to end in that way. */
  public Program with(Farewell other) {
    return new Program(command, directory, environment, stdin, timeout, mark, other);
  }
}
