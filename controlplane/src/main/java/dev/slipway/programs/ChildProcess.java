package dev.slipway.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts programs that end with this process, however it ends, also by {@code kill -9}. The shell
 * that becomes the program leaves a reader of its standard input behind. That input is a pipe from
 * this process; when the pipe closes, the reader kills the program, unless that has ended already
 * and its number may belong to another process.
 */
public final class ChildProcess {
  /**
   * The program runs in a session of its own where there is {@code setsid}, so that Ctrl-C reaches
   * this process alone, which then stops its programs in order.
   */
  private static final String SHELL =
      """
      exec 3<&0
      (trap '' HUP INT TERM; while read -r _ <&3; do :; done
       if [ -r /proc/self/stat ]; then
         read -r _ _ _ parent _ </proc/self/stat; [ "$parent" = $$ ] || exit
       fi
       kill -KILL $$) >/dev/null 2>&1 &
      if command -v setsid >/dev/null 2>&1; then exec setsid "$@" 3<&- </dev/null; fi
      exec "$@" 3<&- </dev/null
      """;

  private ChildProcess() {}

  /** The builder that starts it. Its standard input belongs to the reader: do not redirect it. */
  public static ProcessBuilder builder(List<String> command) {
    if (!Files.isExecutable(Path.of("/bin/sh"))) {
      throw new ProgramException("there is no /bin/sh, which starts " + command.getFirst());
    }
    List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "slipway-child"));
    all.addAll(command);
    return new ProcessBuilder(all).redirectErrorStream(true);
  }

  /** Starts it with output into that file. */
  public static Process start(List<String> command, Path output) throws IOException {
    return builder(command).redirectOutput(output.toFile()).start();
  }
}
