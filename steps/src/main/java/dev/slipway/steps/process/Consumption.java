package dev.slipway.steps.process;

import dev.slipway.engine.resolve.ProcessLimits;
import java.util.List;
import java.util.Optional;

/** Compares what a running program and its descendants use with their limits. */
final class Consumption {
  private final ProcessTree tree;
  private final ProcessLimits limits;
  private final OutputCount output;
  private final DiskUse disk;

  Consumption(ProcessTree tree, Program program, OutputCount output) {
    this.tree = tree;
    this.limits = program.limits();
    this.output = output;
    this.disk = new DiskUse(program.storage());
  }

  /** The first limit that is exceeded now. */
  Optional<Ending.Exceeded> excess() {
    List<ProcessTable.Row> processes = tree.members(ProcessTable.recent());
    long tasks = processes.stream().mapToLong(ProcessTable.Row::threads).sum();
    return flood()
        .or(() -> passed(Limit.PROCESSES, tasks, limits.processes()))
        .or(() -> passed(Limit.MEMORY, memory(processes), limits.memory()))
        .or(() -> passed(Limit.DISK, disk.bytes(), limits.disk()));
  }

  /** Whether it exceeded the output limit. */
  Optional<Ending.Exceeded> flood() {
    return passed(Limit.OUTPUT, output.bytes(), limits.output());
  }

  private static Optional<Ending.Exceeded> passed(Limit limit, long measured, long allowed) {
    return measured > allowed
        ? Optional.of(new Ending.Exceeded(limit, measured, allowed))
        : Optional.empty();
  }

  /**
   * Exact only near the limit: reading each process's proportional share takes longer than its
   * resident size.
   */
  private long memory(List<ProcessTable.Row> processes) {
    long resident = processes.stream().mapToLong(ProcessTable.Row::resident).sum();
    return resident <= limits.memory()
        ? resident
        : processes.stream().mapToLong(ProcessTable::share).sum();
  }
}
