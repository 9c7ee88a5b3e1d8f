package dev.slipway.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Processor time of this process and of PostgreSQL, which other load does not change. */
record ProcessorTime(ProcessHandle postgres) {
  private static final double MILLIS_PER_TICK = 10;

  /** In milliseconds. */
  record Used(double ours, double postgres) {
    double millis() {
      return ours + postgres;
    }

    Used since(Used before) {
      return new Used(ours - before.ours, postgres - before.postgres);
    }
  }

  Used used() {
    double ours =
        ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
    double children = postgres.descendants().mapToDouble(ProcessorTime::millis).sum();
    return new Used(ours, children + millis(postgres) + ended(postgres));
  }

  private static double millis(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  /** Of connections that were closed meanwhile, where the system tells. */
  private static double ended(ProcessHandle process) {
    try {
      String[] fields =
          Files.readString(Path.of("/proc/" + process.pid() + "/stat"))
              .replaceAll("^.*\\) ", "")
              .split(" ");
      return (Double.parseDouble(fields[13]) + Double.parseDouble(fields[14])) * MILLIS_PER_TICK;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
