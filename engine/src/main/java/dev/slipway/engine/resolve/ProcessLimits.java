package dev.slipway.engine.resolve;

/**
 * How much one step may use that runs programs on the server: together with everything it starts.
 *
 * @param memory bytes of memory
 * @param processes processes and their threads
 * @param output bytes written to standard output and standard error
 * @param disk bytes of files in the step's private directory
 * @param openFiles files that each of its processes may have open
 * @param user the user of the machine as which it runs; empty for the usual one
 */
public record ProcessLimits(
    long memory, int processes, long output, long disk, int openFiles, String user) {
  private static final long MIB = 1024L * 1024;

  /** What suits most. */
  public static final ProcessLimits DEFAULT =
      new ProcessLimits(2048 * MIB, 1024, 256 * MIB, 4096 * MIB, 4096, "");

  /** The same with another limit for memory. */
  public ProcessLimits withMemory(long bytes) {
    return new ProcessLimits(bytes, processes, output, disk, openFiles, user);
  }

  /** The same with another number of processes and threads. */
  public ProcessLimits withProcesses(int most) {
    return new ProcessLimits(memory, most, output, disk, openFiles, user);
  }

  /** The same with another limit for output. */
  public ProcessLimits withOutput(long bytes) {
    return new ProcessLimits(memory, processes, bytes, disk, openFiles, user);
  }

  /** The same with another limit for files. */
  public ProcessLimits withDisk(long bytes) {
    return new ProcessLimits(memory, processes, output, bytes, openFiles, user);
  }

  /** The same as another user. */
  public ProcessLimits withUser(String name) {
    return new ProcessLimits(memory, processes, output, disk, openFiles, name);
  }
}
