package dev.slipway.steps.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running program and everything it started. The program leads a session and process group of its
 * own; beside it waits a watcher that reads a pipe whose other end only this server holds. When the
 * pipe closes, because the step is over or because the server died however suddenly, the watcher
 * kills the group. Processes that left the group are found by the mark in their environment.
 */
final class ProcessTree {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);

  /** How long a program may take to end by itself when asked to. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /**
   * Keeps the pipe as descriptor 3, starts the watcher on it and becomes the program, whose
   * standard input is the file given first.
   */
  private static final String WRAPPER =
      "exec 3<&0 <\"$1\"; shift; "
          + "{ read -r _ <&3; %skill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec \"$@\"";

  /** What the watcher does first for a program that wants to be interrupted. */
  private static final String INTERRUPT =
      "kill -INT $$; n=0; while [ $n -lt 50 ] && kill -0 $$; do sleep 0.2; n=$((n+1)); done; ";

  private final Process process;
  private final Program program;

  private ProcessTree(Process process, Program program) {
    this.process = process;
    this.program = program;
  }

  static ProcessTree start(Program program) throws IOException {
    List<String> command = new ArrayList<>();
    if (SETSID != null) {
      command.add(SETSID);
    }
    String wrapper =
        WRAPPER.formatted(program.farewell() == Program.Farewell.INTERRUPT_LEADER ? INTERRUPT : "");
    command.addAll(List.of("/bin/sh", "-c", wrapper, "slipway-step", program.stdin().toString()));
    command.addAll(program.command());
    ProcessBuilder builder = new ProcessBuilder(command).directory(program.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(program.environment());
    builder.environment().put(Program.MARK, program.mark());
    return new ProcessTree(builder.start(), program);
  }

  Process process() {
    return process;
  }

  boolean ended(Duration within) throws InterruptedException {
    return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A word of farewell, some time to clean up, then KILL to whatever is left. */
  void stop() {
    switch (program.farewell()) {
      case TERMINATE_ALL -> signal(Signals.TERM);
      case INTERRUPT_LEADER -> Signals.process(process.pid(), Signals.INT);
    }
    boolean interrupted = false;
    long until = System.nanoTime() + GRACE.toNanos();
    while (process.isAlive() && System.nanoTime() < until) {
      try {
        if (ended(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    sweep();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends everything that is still there; the program itself has ended or must. */
  void sweep() {
    signal(Signals.KILL);
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the pipe of {} was closed already", program.mark());
    }
    killMarked(program.mark());
  }

  private void signal(int signal) {
    if (SETSID != null) {
      Signals.group(process.pid(), signal);
    } else {
      process.descendants().forEach(p -> Signals.process(p.pid(), signal));
      Signals.process(process.pid(), signal);
    }
  }

  /** Kills every process of this machine that carries the mark; how many there were. */
  static int killMarked(String mark) {
    String wanted = "\0" + Program.MARK + "=" + mark + "\0";
    int killed = 0;
    for (int round = 0; round < 5; round++) {
      List<Long> found = marked(wanted);
      found.forEach(pid -> Signals.process(pid, Signals.KILL));
      killed += found.size();
      if (found.isEmpty()) {
        break;
      }
    }
    return killed;
  }

  /** Waits until no process of this machine carries the mark; false when some still do then. */
  static boolean endedByItself(String mark, Duration within) throws InterruptedException {
    String wanted = "\0" + Program.MARK + "=" + mark + "\0";
    long until = System.nanoTime() + within.toNanos();
    while (!marked(wanted).isEmpty()) {
      if (System.nanoTime() >= until) {
        return false;
      }
      Thread.sleep(100);
    }
    return true;
  }

  private static List<Long> marked(String wanted) {
    Path proc = Path.of("/proc");
    if (!Files.isDirectory(proc)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(proc)) {
      return entries
          .map(p -> p.getFileName().toString())
          .filter(name -> Character.isDigit(name.charAt(0)))
          .filter(name -> carries(proc.resolve(name).resolve("environ"), wanted))
          .map(Long::valueOf)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean carries(Path environ, String wanted) {
    try {
      return ("\0" + Files.readString(environ, StandardCharsets.ISO_8859_1)).contains(wanted);
    } catch (IOException e) {
      return false; // gone, or somebody else's
    }
  }

  private static final String SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .filter(p -> Files.isExecutable(Path.of(p)))
          .findFirst()
          .orElse(null);
}
