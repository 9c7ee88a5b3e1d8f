package dev.slipway.steps.process;

import dev.slipway.engine.resolve.ProcessLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What to run. {@code mark} is the step's idempotency key: every process that the program starts
 * carries it in its environment, so that none can hide from whoever repeats the attempt. {@code
 * stdin} is a file; {@code storage} is the directory whose size is limited.
 */
public record Program(
    List<String> command,
    Path directory,
    Map<String, String> environment,
    Path stdin,
    Duration timeout,
    String mark,
    Farewell farewell,
    ProcessLimits limits,
    Path storage) {
  /** The variable that carries the mark. */
  public static final String MARK = "SLIPWAY_IDEMPOTENCY_KEY";

  /**
   * The variable that tells one launch from others with the same mark, of which one may be under
   * way elsewhere on this machine.
   */
  static final String LAUNCH = "SLIPWAY_LAUNCH";

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

  /** One that ends on TERM, within the usual limits. */
  public Program(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      Path stdin,
      Duration timeout,
      String mark) {
    this(
        command,
        directory,
        environment,
        stdin,
        timeout,
        mark,
        Farewell.TERMINATE_ALL,
        ProcessLimits.DEFAULT,
        directory);
  }

  /** The same, asked to end in that way. */
  public Program with(Farewell other) {
    return new Program(
        command, directory, environment, stdin, timeout, mark, other, limits, storage);
  }

  /** The same within other limits, that for disk counted over {@code directoryOfItsOwn}. */
  public Program within(ProcessLimits other, Path directoryOfItsOwn) {
    return new Program(
        command, directory, environment, stdin, timeout, mark, farewell, other, directoryOfItsOwn);
  }
}
