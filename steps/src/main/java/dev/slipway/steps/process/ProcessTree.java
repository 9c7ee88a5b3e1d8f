package dev.slipway.steps.process;

import dev.slipway.engine.execute.RunLease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running program and its descendants. The program leads a session and process group of its own.
 * It starts when it reads a word from a pipe whose other end only this server holds, so that the
 * lease is checked directly before the start. A watcher process reads the same pipe: when it
 * closes, because the step is over or the server died, the watcher kills the group. Processes that
 * left the group are found by the mark in their environment; those of this launch by an extra mark,
 * since a repeated attempt on this machine uses the same idempotency key.
 */
final class ProcessTree {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);

  /** How long a program may take to exit after a signal. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** How long a killed process may take to disappear. */
  private static final Duration DEATH = Duration.ofSeconds(2);

  /**
   * Rounds of searching for processes to stop; a child forked meanwhile is stopped in the next
   * round.
   */
  private static final int MOST_ROUNDS = 30;

  /**
   * Sets what each process inherits: no core dumps, a limit of open files, and an OOM score so that
   * the kernel, short of memory, kills it rather than the server. Keeps the pipe as descriptor 3,
   * waits for the word, starts the watcher and executes the program, whose standard input is the
   * file given first.
   */
  private static final String WRAPPER =
      "ulimit -c 0; ulimit -n \"$2\" 2>/dev/null; { echo 1000 >/proc/$$/oom_score_adj; }"
          + " 2>/dev/null; exec 3<&0 <\"$1\"; shift 2; read -r _ <&3 || exit; { read -r _ <&3;"
          + " %skill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec \"$@\"";

  /** What the watcher does first for a program that expects an interrupt. */
  private static final String INTERRUPT =
      "kill -INT $$; n=0; while [ $n -lt 50 ] && kill -0 $$; do sleep 0.2; n=$((n+1)); done; ";

  /** How the watcher kills children that left the group, as those of Ansible do. */
  private static final String ESCAPED =
      "read -r me _ </proc/self/stat; for p in $(grep -lzxF \""
          + Program.LAUNCH
          + "=$"
          + Program.LAUNCH
          + "\" /proc/[0-9]*/environ); do p=${p#/proc/}; p=${p%/environ};"
          + " [ $p = $me ] || kill -9 $p; done; ";

  private final Process process;
  private final Program program;
  private final String launch;
  private final InputStream stdout;
  private final InputStream stderr;
  private final long started;
  private final Set<ProcessTable.Id> known = new HashSet<>();

  private ProcessTree(
      Process process, Program program, String launch, InputStream stdout, InputStream stderr) {
    this.process = process;
    this.program = program;
    this.launch = launch;
    this.stdout = stdout;
    this.stderr = stderr;
    this.started = ProcessTable.startOf(process.pid());
  }

  /**
   * Starts the program.
   *
   * @throws InterruptedException when the lease has ended: the program was not started
   */
  static ProcessTree start(Program program, RunLease lease)
      throws IOException, InterruptedException {
    ProcessTree tree = prepare(program);
    try {
      lease.check();
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped before it was begun");
      }
      tree.begin();
      return tree;
    } catch (InterruptedException e) {
      tree.sweep();
      throw e;
    }
  }

  private void begin() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      LOG.debug("{} ended before its program began; its output says why", program.mark());
    }
  }

  private static ProcessTree prepare(Program program) throws IOException {
    List<String> command = new ArrayList<>(IgnoredSignals.restored());
    if (SETSID != null) {
      command.add(SETSID);
    }
    StepUser.of(program.limits().user()).ifPresent(user -> command.addAll(user.command()));
    String wrapper =
        WRAPPER.formatted(
            (program.farewell() == Program.Farewell.INTERRUPT_LEADER ? INTERRUPT : "") + ESCAPED);
    command.addAll(List.of("/bin/sh", "-c", wrapper, "slipway-step", program.stdin().toString()));
    command.add(String.valueOf(program.limits().openFiles()));
    command.addAll(program.command());
    ProcessBuilder builder = new ProcessBuilder(command).directory(program.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(program.environment());
    builder.environment().put(Program.MARK, program.mark());
    String launch = UUID.randomUUID().toString();
    builder.environment().put(Program.LAUNCH, launch);
    return switch (program.farewell()) {
      case TERMINATE_ALL -> {
        Process process = builder.start();
        yield new ProcessTree(
            process, program, launch, process.getInputStream(), process.getErrorStream());
      }
      case INTERRUPT_LEADER -> intoFiles(builder, program, launch);
    };
  }

  private static ProcessTree intoFiles(ProcessBuilder builder, Program program, String launch)
      throws IOException {
    Path out = Files.createTempFile(program.storage(), "stdout", ".log");
    Path err = Files.createTempFile(program.storage(), "stderr", ".log");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new ProcessTree(
        process,
        program,
        launch,
        new FollowedFile(out, process::isAlive),
        new FollowedFile(err, process::isAlive));
  }

  InputStream stdout() {
    return stdout;
  }

  InputStream stderr() {
    return stderr;
  }

  Process process() {
    return process;
  }

  boolean ended(Duration within) throws InterruptedException {
    return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Signals the program, waits the grace period, then kills what is left. An interrupt during the
   * wait skips the rest of it: the run's lease ends.
   */
  void stop() {
    switch (program.farewell()) {
      case TERMINATE_ALL -> signal(ProcessSignals.TERM);
      case INTERRUPT_LEADER -> ProcessSignals.process(process.pid(), ProcessSignals.INT);
    }
    try {
      process.waitFor(GRACE);
      sweep();
    } catch (InterruptedException e) {
      sweep();
      Thread.currentThread().interrupt();
    }
  }

  /** Kills all that still runs; the program itself has exited or is killed too. */
  void sweep() {
    signal(ProcessSignals.KILL);
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the pipe of {} was closed already", program.mark());
    }
    killMembers();
  }

  /** Stops reading its output. */
  void deafen() {
    try {
      stdout.close();
      stderr.close();
    } catch (IOException e) {
      LOG.debug("the output of {} was closed already", program.mark());
    }
  }

  /** Its processes in that table. A process once seen as a member stays one. */
  synchronized List<ProcessTable.Row> members(ProcessTable table) {
    List<ProcessTable.Row> rows = table.belonging(process.pid(), launch, known);
    known.clear();
    rows.forEach(row -> known.add(row.id()));
    return rows;
  }

  private void signal(int signal) {
    if (SETSID == null) {
      process.descendants().forEach(p -> ProcessSignals.process(p.pid(), signal));
      ProcessSignals.process(process.pid(), signal);
    } else if (!ProcessSignals.group(process.pid(), signal) && process.isAlive()) {
      // The process leads no group yet.
      ProcessSignals.process(process.pid(), signal);
    }
  }

  /**
   * Kills every process of this machine that carries the mark, and returns their number. While the
   * lease lasts these can only belong to an earlier attempt.
   */
  static int killMarked(String mark, RunLease lease) throws InterruptedException {
    Set<ProcessTable.Id> halted = new HashSet<>();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<ProcessTable.Row> rows = ProcessTable.now().marked(mark);
      lease.check();
      if (!halt(rows, halted)) {
        break;
      }
    }
    end(halted);
    return halted.size();
  }

  /**
   * Kills its processes even if they fork fast: stops each with SIGSTOP first, and kills them when
   * a round finds no new one.
   */
  private void killMembers() {
    Set<ProcessTable.Id> halted = new HashSet<>();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      if (!halt(members(ProcessTable.now(started)), halted)) {
        break;
      }
    }
    end(halted);
  }

  /**
   * Kills them and waits until they are gone, which takes a moment unless the kernel holds them.
   */
  private static void end(Set<ProcessTable.Id> halted) {
    halted.forEach(id -> ProcessSignals.process(id.pid(), ProcessSignals.KILL));
    long until = System.nanoTime() + DEATH.toNanos();
    boolean interrupted = false;
    while (System.nanoTime() < until && halted.stream().anyMatch(ProcessTable::there)) {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether there were some that had not been stopped before. */
  private static boolean halt(List<ProcessTable.Row> rows, Set<ProcessTable.Id> halted) {
    boolean more = false;
    for (ProcessTable.Row row : rows) {
      if (halted.add(row.id())) {
        more = true;
        ProcessSignals.process(row.id().pid(), ProcessSignals.STOP);
      }
    }
    return more;
  }

  /**
   * Waits until no process of this machine carries the mark; false when some still do after {@code
   * within}.
   */
  static boolean endedByItself(String mark, Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (!ProcessTable.now().marked(mark).isEmpty()) {
      if (System.nanoTime() >= until) {
        return false;
      }
      Thread.sleep(100);
    }
    return true;
  }

  private static final @Nullable String SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .filter(p -> Files.isExecutable(Path.of(p)))
          .findFirst()
          .orElse(null);
}
