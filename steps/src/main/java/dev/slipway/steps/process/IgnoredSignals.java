package dev.slipway.steps.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Signals that this process inherited as ignored, as background jobs of a script do. Programs would
 * inherit that too and could not be interrupted.
 */
final class IgnoredSignals {
  /** HUP, INT and QUIT as bits of the mask in {@code /proc}. */
  private static final long THOSE_THAT_STOP = 0b111;

  private static final List<String> RESTORED =
      (mask() & THOSE_THAT_STOP) != 0 && Files.isExecutable(Path.of("/usr/bin/env"))
          ? List.of("/usr/bin/env", "--default-signal=HUP,INT,QUIT")
          : List.of();

  private IgnoredSignals() {}

  /** The command prefix that restores them; empty when none is ignored. */
  static List<String> restored() {
    return RESTORED;
  }

  private static long mask() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("SigIgn:"))
          .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
