package dev.slipway.steps.process;

import dev.slipway.engine.resolve.ProcessLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A program to run. {@code mark} is the step's idempotency key: every descendant carries it in its
 * environment, so that a repeated attempt finds all of them. {@code stdin} is a file; {@code
 * storage} is the directory whose size is limited.
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
   * The variable that distinguishes launches with the same mark, of which another may still run on
   * this machine.
   */
  static final String LAUNCH = "SLIPWAY_LAUNCH";

  /** The signal that asks it to exit, before it is killed. */
  public enum Farewell {
    /** TERM to all its processes. */
    TERMINATE_ALL,
    /**
     * INT to the program alone, which then ends its own children, also when the server dies: for
     * programs that save their progress before they exit.
     */
    INTERRUPT_LEADER
  }

  /** A program that exits on TERM, within the default limits. */
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

  /** The same with that farewell. */
  public Program with(Farewell other) {
    return new Program(
        command, directory, environment, stdin, timeout, mark, other, limits, storage);
  }

  /** The same within other limits; the disk limit applies to {@code directoryOfItsOwn}. */
  public Program within(ProcessLimits other, Path directoryOfItsOwn) {
    return new Program(
        command, directory, environment, stdin, timeout, mark, farewell, other, directoryOfItsOwn);
  }
}
